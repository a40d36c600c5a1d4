// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/top_choice.h"

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

}  // namespace
}  // namespace snellen::metrics
