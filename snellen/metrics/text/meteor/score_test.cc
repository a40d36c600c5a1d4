// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/score.h"

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::metrics::meteor {
namespace {

Statistics parsed(std::string_view text) {
  return parse_statistics(text).value();
}

constexpr std::string_view kCouple =
    "4.0 2.0 3.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 1.0 3.0 1.0 1.0 4.0 2.0";
constexpr std::string_view kWhole = "2 2 0 0 2 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 2 2";

TEST(MeteorScore, ReadsBackWhatItPrints) {
  std::string text;
  append_statistics(text, parsed(kCouple));
  EXPECT_EQ(text, kCouple);
}

TEST(MeteorScore, RefusesFewerNumbersAndOtherWords) {
  EXPECT_FALSE(parse_statistics("1 2 3"));
  EXPECT_FALSE(parse_statistics(""));
  EXPECT_FALSE(parse_statistics(std::string(kWhole).replace(0, 1, "x")));
}

// len' = 0.75 * 1 + 0.25 * 3 = 1.5 and 1; match' = 0.6 of them, so P = R = F = 0.6, and both lines
// are whole.
TEST(MeteorScore, WeighsContentAndModules) {
  Score score = score_of(parsed(kCouple), {});
  EXPECT_DOUBLE_EQ(score.precision, 0.6);
  EXPECT_DOUBLE_EQ(score.recall, 0.6);
  EXPECT_DOUBLE_EQ(score.score, 0.6);
  EXPECT_EQ(score.penalty, 0);
}

// One exact content word of two on both sides: P = R = 0.5, frag = 1 / 1, penalty = 0.6.
TEST(MeteorScore, PenalisesFragments) {
  Score score = score_of(parsed("2 2 0 0 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1"), {});
  EXPECT_DOUBLE_EQ(score.penalty, 0.6);
  EXPECT_DOUBLE_EQ(score.score, 0.2);
}

TEST(MeteorScore, IsZeroWhenThereIsNothing) {
  Score score = score_of(Statistics{}, {});
  EXPECT_EQ(score.score, 0);
  EXPECT_TRUE(std::isnan(score.precision));
}

TEST(MeteorScore, AddsNoChunkForAWholeSegment) {
  Statistics sum;
  sum.add(parsed(kWhole));
  sum.add(parsed(kWhole));
  EXPECT_EQ(sum.chunks, 0);
  EXPECT_EQ(sum.hypothesis_words, 4);
  EXPECT_EQ(score_of(sum, {}).score, 1);
}

TEST(MeteorScore, KnowsTheTasks) {
  EXPECT_EQ(parameters_of("rank").alpha, 0.85);
  EXPECT_EQ(parameters_of("adq").beta, 1.40);
  EXPECT_EQ(parameters_of("hter").weights[1], 0.2);
  EXPECT_EQ(parameters_of("li").gamma, 0.70);
  EXPECT_EQ(parameters_of("tune").delta, 0.5);
  EXPECT_THROW(parameters_of("rnak"), Error);
}

}  // namespace
}  // namespace snellen::metrics::meteor
