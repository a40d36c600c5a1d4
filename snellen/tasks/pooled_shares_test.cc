// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/pooled_shares.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::tasks {
namespace {

TEST(ShareBlock, GivesWilsonForItemsOfTheirOwnAndLeavesUndefinedOut) {
  ShareBlock block(2);
  block.add("a", {1, std::nan("")});
  block.add("b", {0, 1});
  std::vector<Column> columns = {{.name = "x"}, {.name = "y"}};
  std::vector<metrics::Measurement> all = block.measure("t/", columns, {});
  EXPECT_EQ(all[0].id, "t/x");
  EXPECT_EQ(all[0].value, 0.5);
  EXPECT_EQ(all[0].interval, "wilson");
  EXPECT_EQ(all[1].n, 1U);
  EXPECT_NE(all[1].reason.find("1 items"), std::string::npos);
}

TEST(ShareBlock, ResamplesClustersWhereItemsShareOne) {
  ShareBlock block(1);
  block.add("a", {1});
  block.add("a", {0});
  std::vector<Column> columns = {{.name = "x"}};
  EXPECT_EQ(block.measure("", columns, {})[0].interval, "cluster-bootstrap");
}

TEST(PooledShares, DrawsEqualClustersTogetherAsTheClusterBootstrapDoes) {
  PooledShares pooled(1);
  stats::ClusterBootstrap direct(1);
  for (int i = 0; i < 200; ++i) {
    std::string cluster = "c" + std::to_string(i / 3);
    double value = i % 7 == 0 ? 1 : 0;
    pooled.add(cluster, 0, value);
    direct.add(direct.cluster(cluster), 0, value);
  }
  auto got = pooled.interval([](std::span<const double> s) { return s[0]; }, {});
  auto want = direct.intervals(bootstrap_options({}))[0];
  ASSERT_TRUE(got && want);
  EXPECT_DOUBLE_EQ(got->low, want->low);
  EXPECT_DOUBLE_EQ(got->high, want->high);
  EXPECT_EQ(got->method, "cluster-bootstrap");
}

}  // namespace
}  // namespace snellen::tasks
