// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_r/task.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::tasks::probe_r {
namespace {

// R1, R3, O1, O3, R2.
GroupScores group() {
  return {.anchor = {25, 20, 24, 19, 26},
          .positives = {{20, 19, 22, 18, 21}, {22, 19, 20, 18, 19}},
          .negatives = {{0, 0, 18, 22, 0}}};
}

double acc(const Outcome& outcome, size_t comparison) {
  return outcome.values[2 * comparison + 1];
}

TEST(ProbeR, ComparesOnAnchorPositivesAndNegatives) {
  Outcome outcome = judge_group(group(), {});
  EXPECT_EQ(acc(outcome, 0), 1);  // R1 25 > R3 20
  EXPECT_EQ(acc(outcome, 1), 0);  // R1 25 < R2 26
  EXPECT_EQ(acc(outcome, 3), 0);  // mean O1 21 = mean R1 21: a tie is wrong
  EXPECT_EQ(acc(outcome, 8), 1);  // O3 22 > O1 18
  EXPECT_EQ(outcome.tied_columns, uint64_t{1} << 7);
  EXPECT_FALSE(*outcome.is_correct);
  EXPECT_DOUBLE_EQ(outcome.margin, -1);
}

TEST(ProbeR, TiesCanBeWonOrCountOneHalf) {
  EXPECT_EQ(acc(judge_group(group(), {.ties = metrics::Ties::kHalf}), 3), 0.5);
  EXPECT_EQ(acc(judge_group(group(), {.ties = metrics::Ties::kRight}), 3), 1);
  EXPECT_EQ(acc(judge_group(group(), {.ties = metrics::Ties::kRight}), 1), 0);  // lost, not tied
}

TEST(ProbeR, LeavesOutWhatAScoreFileDoesNotGive) {
  GroupScores anchor_only = group();
  anchor_only.positives.clear();
  anchor_only.negatives.clear();
  Outcome outcome = judge_group(anchor_only, {});
  EXPECT_EQ(acc(outcome, 0), 1);
  EXPECT_TRUE(std::isnan(acc(outcome, 3)));
  EXPECT_TRUE(std::isnan(acc(outcome, 8)));
}

TEST(ProbeR, CompatReusesTheStaleDecisionForObjects) {
  Outcome outcome = judge_group(group(), {.is_compat = true});
  EXPECT_EQ(acc(outcome, 7), acc(outcome, 6));
  EXPECT_EQ(acc(outcome, 8), acc(outcome, 6));
}

TEST(ProbeR, CompatFillsOnlyWhatTheReferenceFills) {
  EXPECT_TRUE(
      std::isnan(acc(judge_group(group(), {.is_compat = true, .family = ProbeFamily::kVilt}), 3)));
  EXPECT_TRUE(std::isnan(
      acc(judge_group(group(), {.is_compat = true, .family = ProbeFamily::kFinetuned}), 2)));
  EXPECT_FALSE(std::isnan(
      acc(judge_group(group(), {.is_compat = true, .family = ProbeFamily::kBridgeTower}), 3)));
}

}  // namespace
}  // namespace snellen::tasks::probe_r
