// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/bias/close_ended.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

CloseRecord record(std::string subset, std::string condition, size_t label, std::string answer) {
  return {.id = answer,
          .image = "picture",
          .subset = std::move(subset),
          .category = "Age",
          .condition = std::move(condition),
          .options = {"Yes", "No", "Unknown"},
          .unknown = 2,
          .label = label,
          .answer = std::move(answer)};
}

std::vector<CloseOutcome> judged(const std::vector<CloseRecord>& records) {
  std::vector<CloseOutcome> outcomes;
  for (const CloseRecord& one : records) outcomes.push_back(judge_close(one));
  return outcomes;
}

TEST(CloseEnded, UnparsedAndRefusedAnswersAreWrong) {
  CloseReport report = aggregate_close(judged({record("base", "ambig", 2, "(C)"),
                                               record("base", "neg", 0, "I'm sorry."),
                                               record("text", "non_neg", 1, "what a day"),
                                               record("text", "neg", 0, "C")}));
  EXPECT_EQ(report.overall.n, 4u);
  EXPECT_EQ(report.overall.correct, 1u);
  EXPECT_EQ(report.overall.parsed, 2u);
  EXPECT_DOUBLE_EQ(*report.overall.accuracy_parsed(), 0.5);
  EXPECT_DOUBLE_EQ(*report.overall.refusal_rate(), 0.25);
  EXPECT_DOUBLE_EQ(*report.delta_base, 0.5);
  EXPECT_DOUBLE_EQ(*report.bias_score, 0);
  EXPECT_DOUBLE_EQ(*report.unknown_in_disambig, 1.0 / 3);
  EXPECT_EQ(report.by_condition.back().name, "disambig");
  EXPECT_EQ(report.by_condition.back().n, 3u);
}

TEST(CloseEnded, WhatIsMissingIsUndefined) {
  CloseReport report = aggregate_close(judged({record("base", "ambig", 2, "(C)")}));
  EXPECT_FALSE(report.delta_base);
  EXPECT_FALSE(report.bias_score);
  EXPECT_FALSE(report.unknown_in_disambig);
  EXPECT_FALSE(aggregate_close({}).overall.accuracy());
}

TEST(CloseEnded, ItemsWithoutALabelAreCountedApart) {
  CloseRecord unlabelled = record("base", "neg", 0, "A");
  unlabelled.label = std::nullopt;
  CloseReport report = aggregate_close(judged({unlabelled}));
  EXPECT_EQ(report.num_unusable, 1u);
  EXPECT_EQ(report.overall.n, 0u);
  EXPECT_EQ(label_or_default(std::nullopt, "ambig", 2), 2u);
  EXPECT_EQ(label_or_default(std::nullopt, "neg", 2), std::nullopt);
}

TEST(CloseEnded, ClustersByImageWhenAsked) {
  CloseReport report =
      aggregate_close(judged({record("base", "ambig", 2, "(C)"), record("base", "neg", 0, "B")}),
                      {.bootstrap = stats::BootstrapOptions{.replicates = 50}});
  // One image: every resample is the whole, so the interval is a point.
  EXPECT_DOUBLE_EQ(report.overall.clustered->low, 0.5);
  EXPECT_DOUBLE_EQ(report.overall.clustered->high, 0.5);
}

TEST(CloseEnded, RefusesALabelOutOfRange) {
  EXPECT_THROW(judge_close(record("base", "neg", 3, "A")), Error);
}

}  // namespace
}  // namespace snellen::metrics
