// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/mean_statistics.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

void add(MeanStatistics& means, const std::string& cluster, const std::vector<double>& values) {
  means.add(std::span(&cluster, 1), values);
}

TEST(MeanStatistics, DrawEqualClustersTogetherAsTheClusterBootstrapDoes) {
  MeanStatistics means(1);
  stats::ClusterSums direct(1);
  for (int i = 0; i < 200; ++i) {
    const std::string cluster = "c" + std::to_string(i / 3);
    const double value = i % 7 == 0 ? 1 : 0;
    add(means, cluster, {value});
    direct.add(direct.unit(cluster), 0, value);
  }
  const MeanOptions options{.bootstrap = 500};
  auto got = means.interval({[](std::span<const double> s) { return s[0]; }}, options).interval;
  auto want = direct.intervals(bootstrap_options(options))[0];
  ASSERT_TRUE(got && want);
  EXPECT_DOUBLE_EQ(got->low, want->low);
  EXPECT_DOUBLE_EQ(got->high, want->high);
  EXPECT_EQ(got->method, "cluster-bootstrap");
}

TEST(MeanStatistics, HaveIntervalsByFormula) {
  MeanStatistics means(2);
  for (int i = 0; i < 200; ++i)
    add(means, "c" + std::to_string(i / 4), {i % 3 == 0 ? 1.0 : 0.0, i % 5 == 0 ? 1.0 : 0.0});
  auto mean = [](std::span<const double> s) { return s[0]; };
  const auto share = means.interval({.of = mean, .range = stats::StatisticRange::kShare}, {});
  EXPECT_EQ(share.interval->method, "jackknife-wilson");
  EXPECT_LT(share.interval->low, means.mean(0));
  EXPECT_GT(share.interval->high, means.mean(0));
  auto gain = [](std::span<const double> s) { return (s[1] - s[0]) / (1 - s[0]); };
  const auto rate = means.interval(
      {.of = gain, .range = stats::StatisticRange::kAtMostOne, .rests_on_lacking = true}, {});
  EXPECT_EQ(rate.interval->method, "jackknife-rate");
}

TEST(MeanStatistics, RestOnTheClustersThatHaveTheirColumns) {
  MeanStatistics means(2);
  for (int i = 0; i < 40; ++i) {
    const std::string cluster = "c" + std::to_string(i / 4);
    add(means, cluster, {i < 16 && i % 3 == 0 ? 1.0 : 0.0, i < 16 ? 1.0 : std::nan("")});
  }
  auto mean = [](std::span<const double> s) { return s[1] - s[0]; };
  const auto found = means.interval({.of = mean, .columns = {1}}, {});
  EXPECT_FALSE(found.interval);  // four clusters have it
  EXPECT_EQ(found.reason, "too few clusters for an interval");
  EXPECT_TRUE(means.interval({.of = mean, .columns = {0}}, {}).interval);
}

TEST(MeanStatistics, SeeNaNForAColumnThatWasNotDrawn) {
  MeanStatistics means(2);
  add(means, "a", {1, std::nan("")});
  add(means, "b", {std::nan(""), 0});
  auto difference = [](std::span<const double> s) { return s[0] - s[1]; };
  const auto interval = means.interval({difference}, {.bootstrap = 2000}).interval;
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 1);
  EXPECT_EQ(interval->high, 1);
  EXPECT_EQ(interval->method, "bootstrap");
}

}  // namespace
}  // namespace snellen::metrics
