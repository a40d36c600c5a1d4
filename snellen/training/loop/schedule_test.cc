// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/loop/schedule.h"

#include <gtest/gtest.h>

namespace snellen::training {
namespace {

TEST(Schedule, RisesInALineAndFallsInHalfACosine) {
  Schedule schedule = {.peak = 2, .num_steps = 12, .warmup_steps = 4};
  EXPECT_DOUBLE_EQ(schedule.learning_rate(0), 0.5);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(3), 2);
  EXPECT_DOUBLE_EQ(schedule.learning_rate(4), 2);
  EXPECT_NEAR(schedule.learning_rate(8), 1, 1e-12);
  EXPECT_GT(schedule.learning_rate(11), 0);
  EXPECT_NEAR(schedule.learning_rate(12), 0, 1e-12);
}

TEST(Schedule, StaysDefinedWithoutWarmupOrWithNothingElse) {
  EXPECT_DOUBLE_EQ((Schedule{.peak = 1, .num_steps = 1, .warmup_steps = 0}).learning_rate(0), 1);
  EXPECT_DOUBLE_EQ((Schedule{.peak = 1, .num_steps = 2, .warmup_steps = 2}).learning_rate(1), 1);
}

}  // namespace
}  // namespace snellen::training
