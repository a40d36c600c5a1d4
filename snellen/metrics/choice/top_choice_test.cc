// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/top_choice.h"

#include <vector>

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

TEST(TopChoice, TakesTheFirstMaximumAndSaysItWasTied) {
  std::vector<double> scores = {1.0, 2.0, 2.0};
  EXPECT_TRUE(top_choice(scores, 1).is_correct);
  EXPECT_FALSE(top_choice(scores, 2).is_correct);
  EXPECT_TRUE(top_choice(scores, 1).is_tied);
}

TEST(TopChoice, OnlyARightTextThatSharesTheMaximumIsDecidedByTheTieRule) {
  std::vector<double> scores = {1.0, 2.0, 2.0};
  EXPECT_EQ(top_choice(scores, 2).credit(Ties::kRight), 1);
  EXPECT_EQ(top_choice(scores, 1).credit(Ties::kHalf), 0.5);
  EXPECT_EQ(top_choice(scores, 1).credit(Ties::kWrong), 0);
  EXPECT_EQ(top_choice(scores, 0).credit(Ties::kRight), 0);
}

TEST(TopChoice, JudgesWhatIsAskedAlone) {
  // The unasked first pair scores highest and is no candidate.
  const std::vector<uint8_t> is_right = {0, 1, 0};
  const std::vector<uint8_t> is_asked = {0, 1, 1};
  const std::vector<double> scores = {9, 3, 2};
  const std::unique_ptr<Metric> metric = metric_named("choice");
  const ItemShape shape{1, 3, is_right, is_asked};
  Judged judged = metric->judge({shape, scores});
  EXPECT_EQ(judged.values[0], 1);
  EXPECT_EQ(judged.is_correct, true);
  EXPECT_DOUBLE_EQ(judged.margin, 1);
  EXPECT_EQ(metric->chance(0, shape), 0.5);
  EXPECT_TRUE(metric->misfit({1, 3, is_asked, is_asked}));
}

}  // namespace
}  // namespace snellen::metrics
