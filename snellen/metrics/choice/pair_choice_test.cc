// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/pair_choice.h"

#include <gtest/gtest.h>

#include "snellen/metrics/metric.h"

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

TEST(PairChoice, JudgesAnItemWithTheRightOneAnywhere) {
  const std::vector<uint8_t> is_right = {0, 1};
  const std::vector<uint8_t> is_asked = {1, 1};
  const std::vector<double> tied = {3, 3};
  const std::unique_ptr<Metric> metric = metric_named("pairwise");
  const ItemShape two_pictures{2, 1, is_right, is_asked};
  EXPECT_FALSE(metric->misfit(two_pictures));
  EXPECT_EQ(metric->judge({two_pictures, tied}).values[0], 0);
  Judged half = metric->judge({two_pictures, tied, Ties::kHalf});
  EXPECT_EQ(half.values[0], 0.5);
  EXPECT_EQ(half.tied_columns, 1U);
  EXPECT_FALSE(half.is_correct);
  EXPECT_TRUE(metric->misfit({2, 1, is_asked, is_asked}));
}

}  // namespace
}  // namespace snellen::metrics
