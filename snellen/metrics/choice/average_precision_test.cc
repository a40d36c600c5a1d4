// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/average_precision.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

TEST(AveragePrecision, LetsTiedClassesEnterTogether) {
  std::vector<uint8_t> positive = {1, 0, 0, 0};
  std::vector<double> scores = {0.9, 0.9, 0.1, 0.9};
  EXPECT_DOUBLE_EQ(average_precision(positive, scores), 1.0 / 3.0);
}

TEST(AveragePrecision, IsUndefinedWithoutAPositive) {
  std::vector<uint8_t> positive = {0, 0};
  std::vector<double> scores = {1, 2};
  EXPECT_TRUE(std::isnan(average_precision(positive, scores)));
  EXPECT_EQ(average_precision_compat(positive, scores), 0.0);
}

TEST(AveragePrecisionCompat, RanksTheHigherIndexFirstAmongTies) {
  std::vector<uint8_t> positive = {1, 0, 1};
  std::vector<double> scores = {0.5, 0.5, 0.5};
  EXPECT_NEAR(average_precision_compat(positive, scores), (1.0 + 2.0 / 3.0) / 2.0, 1e-7);
}

}  // namespace
}  // namespace snellen::metrics
