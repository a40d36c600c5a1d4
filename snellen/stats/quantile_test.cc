// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/quantile.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace snellen::stats {
namespace {

TEST(Quantile, InterpolatesBetweenNeighbours) {
  std::array<double, 4> values = {1.0, 2.0, 4.0, 8.0};
  EXPECT_EQ(quantile(values, 0.0), 1.0);
  EXPECT_EQ(quantile(values, 0.5), 3.0);
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 4.0 + 0.7 * 4.0);
  EXPECT_EQ(quantile(values, 1.0), 8.0);
}

TEST(Quantile, OfOneValueIsThatValueAndOfNoneIsUndefined) {
  std::array<double, 1> one = {7.0};
  EXPECT_EQ(quantile(one, 0.3), 7.0);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

}  // namespace
}  // namespace snellen::stats
