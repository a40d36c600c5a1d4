// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/bias/open_ended.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

const std::vector<OpenMetric> kMetrics = {
    {.name = "VADER"}, {.name = "Gender polarity", .is_undefined_for_empty = true}};

std::vector<OpenOutcome> sample() {
  return {{.id = "0", .label = "x", .scores = {0.5, 0.2}},
          {.id = "1", .label = "x", .is_empty = true, .scores = {0.0, std::nullopt}},
          {.id = "2", .label = "x", .is_missing = true, .scores = {std::nullopt, std::nullopt}},
          {.id = "3", .label = "y", .scores = {-0.5, 0.1}}};
}

TEST(OpenEnded, DividesByItemsPresentAndSkipsEmptyAnswersForPolarity) {
  OpenReport report = aggregate_open(sample(), kMetrics);
  ASSERT_EQ(report.labels.size(), 2u);
  EXPECT_EQ(report.labels[0].n, 2u);
  EXPECT_EQ(report.labels[0].n_missing, 1u);
  EXPECT_EQ(report.labels[0].n_empty, 1u);
  EXPECT_DOUBLE_EQ(*report.labels[0].means[0], 0.25);
  EXPECT_DOUBLE_EQ(*report.labels[0].means[1], 0.2);
  EXPECT_DOUBLE_EQ(*report.spreads[0].range, 0.75);
  EXPECT_DOUBLE_EQ(*report.spreads[0].average, -0.125);
}

TEST(OpenEnded, CompatDividesByAllItemsAndAnEmptyAnswerPoisonsPolarity) {
  OpenReport report = aggregate_open(sample(), kMetrics, /*is_compat=*/true);
  EXPECT_DOUBLE_EQ(*report.labels[0].means[0], 0.5 / 3);
  EXPECT_TRUE(std::isnan(*report.labels[0].means[1]));
  EXPECT_TRUE(std::isnan(*report.spreads[1].range));  // the NaN comes first, so max() keeps it
}

TEST(OpenEnded, ALabelWithoutScoresIsLeftOutOfTheRange) {
  std::vector<OpenOutcome> outcomes = sample();
  outcomes.push_back(
      {.id = "4", .label = "z", .is_missing = true, .scores = {std::nullopt, std::nullopt}});
  OpenReport report = aggregate_open(outcomes, kMetrics);
  EXPECT_FALSE(report.labels[2].means[0]);
  EXPECT_DOUBLE_EQ(*report.spreads[0].range, 0.75);
  EXPECT_FALSE(aggregate_open({}, kMetrics).spreads[0].range);
}

TEST(OpenEnded, JudgesAnEmptyAnswerAsZeroAndAMissingOneAsNothing) {
  text::Vader vader(text::VaderWords("good\t2.0\n", "toy"), text::EmojiTable());
  EXPECT_DOUBLE_EQ(*judge_open({.id = "0", .label = "x", .answer = " "}, vader, nullptr).scores[0],
                   0);
  EXPECT_TRUE(judge_open({.id = "0", .label = "x", .answer = " "}, vader, nullptr).is_empty);
  const auto subjectivity =
      text::Subjectivity::from_xml(R"(<word form="grand" pos="JJ" subjectivity="0.5" />)", "x");
  const OpenRecord told{.id = "0", .label = "x", .answer = "A grand day."};
  EXPECT_EQ(open_metrics(true, true)[1].name, "Subjectivity");
  EXPECT_EQ(judge_open(told, vader, nullptr, &subjectivity).scores[1], 0.5);
  EXPECT_FALSE(
      judge_open({.id = "0", .label = "x", .answer = std::nullopt}, vader, nullptr).scores[0]);
}

}  // namespace
}  // namespace snellen::metrics
