// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/control_report.h"

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

RungResult rung(const std::string& name, double score, double lost, double p) {
  return {.rung = name,
          .score = {.value = score, .n = 100, .low = score - 0.05, .high = score + 0.05},
          .lost =
              PairedDifference{
                  .n = 100, .value = lost, .low = lost - 0.05, .high = lost + 0.05, .p = p},
          .num_moved = 100};
}

ControlledMetric metric(std::vector<RungResult> rungs) {
  return {.clean = {.id = "m", .value = 0.9, .n = 100, .low = 0.85, .high = 0.95, .chance = 0.5},
          .rungs = std::move(rungs)};
}

TEST(JudgeControls, GoesByTheBestOfTheBlindRungs) {
  ControlledMetric one = metric({rung("gray", 0.5, 0.4, 0.001),
                                 rung("mismatch", 0.7, 0.2, 0.01),
                                 rung("gauss:100", 0.85, 0.05, 0.2)});
  judge_controls(one);
  ASSERT_EQ(one.verdicts.size(), 1U);
  EXPECT_EQ(one.verdicts[0].rung, "mismatch");
  EXPECT_EQ(one.verdicts[0].found, ControlClass::kInPart);
  EXPECT_DOUBLE_EQ(*one.rungs[0].leak_ratio, 0.0);
  EXPECT_DOUBLE_EQ(*one.rungs[1].leak_ratio, 0.5);
  EXPECT_FALSE(one.rungs[2].leak_ratio);
  // Holm over the three.
  EXPECT_DOUBLE_EQ(*one.rungs[0].p_holm, 0.003);
  EXPECT_DOUBLE_EQ(*one.rungs[1].p_holm, 0.02);
  EXPECT_DOUBLE_EQ(*one.rungs[2].p_holm, 0.2);
}

TEST(JudgeControls, GivesNoVerdictWithoutAChanceLevel) {
  ControlledMetric one = metric({rung("gray", 0.5, 0.4, 0.001)});
  one.clean.chance.reset();
  judge_controls(one);
  EXPECT_TRUE(one.verdicts.empty());
  EXPECT_TRUE(one.rungs[0].p_holm);
}

TEST(JudgeControls, JudgesOrderByReverseAndMotionByFreeze) {
  ControlledMetric one = metric({rung("reverse", 0.1, 0.8, 0.001), rung("freeze", 0.9, 0.0, 1.0)});
  one.rungs[1].lost->low = -0.01;
  one.rungs[1].lost->high = 0.01;
  judge_controls(one);
  ASSERT_EQ(one.verdicts.size(), 2U);
  EXPECT_EQ(one.verdicts[0].question, ControlQuestion::kOrder);
  EXPECT_EQ(one.verdicts[0].found, ControlClass::kNeeds);
  EXPECT_EQ(one.verdicts[1].question, ControlQuestion::kMotion);
  EXPECT_EQ(one.verdicts[1].found, ControlClass::kDoesNot);
}

TEST(JudgeControls, TurnsMetricsForWhichLowerIsBetter) {
  ControlledMetric one{.clean = {.id = "errors",
                                 .value = 0.1,
                                 .n = 100,
                                 .low = 0.05,
                                 .high = 0.15,
                                 .higher_is_better = false,
                                 .chance = 0.5},
                       .rungs = {rung("gray", 0.5, -0.4, 0.001)}};
  judge_controls(one);
  ASSERT_EQ(one.verdicts.size(), 1U);
  EXPECT_EQ(one.verdicts[0].found, ControlClass::kNeeds);
  EXPECT_DOUBLE_EQ(*one.rungs[0].leak_ratio, 0.0);
}

TEST(JudgeControls, HasNoLeakRatioWhereCleanIsNotAboveChance) {
  ControlledMetric one = metric({rung("gray", 0.5, -0.1, 0.5)});
  one.clean.value = 0.4;
  judge_controls(one);
  EXPECT_FALSE(one.rungs[0].leak_ratio);
}

}  // namespace
}  // namespace snellen::metrics
