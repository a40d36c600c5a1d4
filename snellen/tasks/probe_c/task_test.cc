// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_c/task.h"

#include <gtest/gtest.h>

namespace snellen::tasks::probe_c {
namespace {

TEST(ProbeC, GivesDecisionsConfidencesAndMargin) {
  Outcome outcome = judge_group({{{5, 4}, {6, 7}}}, /*is_transposed=*/false);
  EXPECT_EQ(outcome.values[0], 1);
  EXPECT_EQ(outcome.values[1], 0);
  EXPECT_EQ(outcome.values[2], 0);
  EXPECT_NEAR(outcome.values[3], 0.731058578630005, 1e-12);
  EXPECT_DOUBLE_EQ(outcome.margin, -1);
  EXPECT_EQ(outcome.tied_columns, 0U);
}

TEST(ProbeC, CountsTiesPerDecision) {
  EXPECT_EQ(judge_group({{{5, 5}, {4, 6}}}, false).tied_columns, 0b101U);
  EXPECT_EQ(judge_group({{{5, 4}, {5, 6}}}, false).tied_columns, 0b110U);
}

TEST(ProbeC, TiesCanCountOneHalf) {
  Outcome outcome = judge_group({{{5, 5}, {4, 6}}}, false, metrics::Ties::kHalf);
  EXPECT_EQ(outcome.values[0], 0.5);
  EXPECT_EQ(outcome.values[1], 1);
  EXPECT_FALSE(outcome.is_correct);
}

TEST(ProbeC, FlavaInCompatExchangesTextAndImage) {
  Outcome outcome = judge_group({{{5, 4}, {6, 7}}}, /*is_transposed=*/true);
  EXPECT_EQ(outcome.values[0], 0);
  EXPECT_EQ(outcome.values[1], 1);
}

}  // namespace
}  // namespace snellen::tasks::probe_c
