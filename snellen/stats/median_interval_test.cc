// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/median_interval.h"

#include <gtest/gtest.h>

namespace snellen::stats {
namespace {

TEST(MedianInterval, HoldsTheValuesOfWhichHalfMayLieBelow) {
  // 1 to 25, each a cluster: Wilson's with t of 24 degrees of freedom (2.064) holds one half for
  // shares up to 0.305 below and 0.695 above it, so from 8 / 25 on, and 18 / 25 is too many.
  std::vector<std::vector<double>> values;
  for (int i = 1; i <= 25; ++i) values.push_back({static_cast<double>(i)});
  const Interval found = *median_interval(values, 0.95).interval;
  EXPECT_EQ(found.low, 8);
  EXPECT_EQ(found.high, 18);
  EXPECT_EQ(found.method, "cluster-median");
}

TEST(MedianInterval, IsWiderWhereValuesOfAClusterAreAlike) {
  std::vector<std::vector<double>> apart(100);
  std::vector<std::vector<double>> alike(20);
  for (size_t i = 0; i < 100; ++i) {
    apart[i].push_back(static_cast<double>(i / 5));
    alike[i / 5].push_back(static_cast<double>(i / 5));
  }
  const Interval narrow = *median_interval(apart, 0.95).interval;
  const Interval wide = *median_interval(alike, 0.95).interval;
  EXPECT_LT(wide.low, narrow.low);
  EXPECT_GT(wide.high, narrow.high);
}

TEST(MedianInterval, OfEqualValuesIsTheValue) {
  const std::vector<std::vector<double>> values(6, {3.0, 3.0});
  const Interval found = *median_interval(values, 0.95).interval;
  EXPECT_EQ(found.low, 3.0);
  EXPECT_EQ(found.high, 3.0);
}

TEST(MedianInterval, IsNoneOfFewClusters) {
  const std::vector<std::vector<double>> values(4, {3.0, 4.0});
  EXPECT_EQ(median_interval(values, 0.95).reason, "too few clusters for an interval");
  EXPECT_FALSE(median_interval({}, 0.95).interval);
  const std::vector<std::vector<double>> empty(7);
  EXPECT_FALSE(median_interval(empty, 0.95).interval);
}

}  // namespace
}  // namespace snellen::stats
