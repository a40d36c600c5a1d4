// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_b/background/task.h"

#include <gtest/gtest.h>

namespace snellen::tasks::probe_b_background {
namespace {

const probe_b::Logits kLogits = {{{3, 1, 2}, {3, 1, 2}, {1, 3, 2}}};
const std::vector<uint8_t> kFirst = {1, 0, 0};

TEST(Background, GivesPrecisionChangeAndRobustness) {
  Result<Outcome> outcome = judge_group(kLogits, kFirst, {});
  ASSERT_TRUE(outcome);
  EXPECT_DOUBLE_EQ(outcome->values[0], 1);            // gt: first of three
  EXPECT_DOUBLE_EQ(outcome->values[2], 1.0 / 3);      // mod: last of three
  EXPECT_DOUBLE_EQ(outcome->values[3], 1 - 1.0 / 3);  // gt - mod
  EXPECT_DOUBLE_EQ(outcome->values[6], 1.0 / 3);      // mod / gt
  EXPECT_DOUBLE_EQ(outcome->values[10], 0);           // gt and patch are alike
}

TEST(Background, ComparesSharesOrTheSimilaritiesOfEquation8) {
  EXPECT_LT(judge_group(kLogits, kFirst, {})->values[kGtModChangeConf], 1);
  Result<Outcome> outcome =
      judge_group(kLogits, kFirst, {.robustness = probe_b::Robustness::kSimilarity});
  EXPECT_DOUBLE_EQ(outcome->values[kGtModChangeConf], 2);  // 3 - 1
  EXPECT_EQ(columns(probe_b::Robustness::kSimilarity)[kGtModChangeConf].name,
            "gt_mod/change_similarity");
}

TEST(Background, IsUndefinedWhenNoClassIsPresent) {
  EXPECT_FALSE(judge_group(kLogits, {0, 0, 0}, {}));
  EXPECT_TRUE(judge_group(kLogits, {0, 0, 0}, {.is_compat = true}));
}

TEST(Background, CompatExchangesPatchAndModForViltAndBridgeTower) {
  Result<Outcome> outcome =
      judge_group(kLogits, kFirst, {.is_compat = true, .family = ProbeFamily::kVilt});
  EXPECT_NEAR(outcome->values[1], 1.0 / 3, 1e-7);
  EXPECT_NEAR(outcome->values[2], 1, 1e-7);
}

}  // namespace
}  // namespace snellen::tasks::probe_b_background
