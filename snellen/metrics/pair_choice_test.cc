// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/pair_choice.h"

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

TEST(PairChoice, CountsATieAsWrong) {
  PairChoice tie = pair_choice(3.0, 3.0);
  EXPECT_FALSE(tie.is_correct);
  EXPECT_TRUE(tie.is_tied);
  EXPECT_DOUBLE_EQ(tie.confidence, 0.5);
}

TEST(PairChoice, GivesTheTwoWaySoftmax) {
  EXPECT_NEAR(pair_choice(15.987, 16.771).confidence, 0.313458435446189, 1e-12);
}

TEST(PairChoiceFloat, TiesWhatFloat32CannotTellApart) {
  EXPECT_TRUE(pair_choice(20.0 + 1e-9, 20.0).is_correct);
  EXPECT_FALSE(pair_choice_float(20.0 + 1e-9, 20.0).is_correct);
}

}  // namespace
}  // namespace snellen::metrics
