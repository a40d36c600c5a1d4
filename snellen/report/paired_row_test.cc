// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/paired_row.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::report {
namespace {

PairedColumn share(uint64_t both_right,
                   uint64_t only_first,
                   uint64_t only_second,
                   uint64_t both_wrong) {
  PairedColumn column{.name = "acc", .is_share = true};
  column.n = both_right + only_first + only_second + both_wrong;
  column.counts = {both_right, only_first, only_second, both_wrong};
  column.first_sum.add(static_cast<double>(both_right + only_first));
  column.second_sum.add(static_cast<double>(both_right + only_second));
  return column;
}

TEST(ComparedRow, TestsSharesByMcNemar) {
  ComparedRow row = compared_row(share(3, 1, 5, 1), {}, {}, 1, 0, {});
  EXPECT_DOUBLE_EQ(row.first, 0.4);
  EXPECT_DOUBLE_EQ(row.second, 0.8);
  EXPECT_NEAR(row.difference, 0.4, 1e-15);
  // 2 P(Bin(6, 1/2) <= 1) = 2 (1 + 6) / 64; mid-p takes P(1) = 6/64 off.
  EXPECT_NEAR(*row.p, 14.0 / 64, 1e-15);
  EXPECT_NEAR(*row.mid_p, 8.0 / 64, 1e-15);
  EXPECT_EQ(row.p_method, "mcnemar-exact");
}

TEST(ComparedRow, CorrectsMcNemarFrom25DiscordantItems) {
  ComparedRow row = compared_row(share(0, 5, 20, 0), {}, {}, 1, 0, {});
  EXPECT_EQ(row.p_method, "mcnemar-corrected");
  EXPECT_NEAR(*row.p, std::erfc(std::sqrt(14.0 * 14.0 / 25.0 / 2.0)), 1e-15);
}

TEST(ComparedRow, TestsMeansByFlippingSigns) {
  // Two differences of one sign: of four sign patterns two are as far from 0, so p is near 1/2.
  PairedColumn column{.name = "conf", .is_share = false, .n = 2};
  column.second_sum.add(3.0);
  std::vector<double> differences = {1.0, 2.0};
  std::vector<uint32_t> clusters = {0, 1};
  ComparedRow row = compared_row(column, differences, clusters, 1, 0, {});
  EXPECT_EQ(row.p_method, "permutation");
  EXPECT_NEAR(*row.p, 0.5, 0.03);
  EXPECT_DOUBLE_EQ(row.difference, 1.5);
  // (z_0.975 + z_0.8) * sd / sqrt(2), sd = sqrt(1/2): 2.8015852 / 2.
  EXPECT_NEAR(*row.detectable, 1.4007926, 1e-6);
}

TEST(ComparedRow, FlipsClustersWhole) {
  // One cluster alone: both patterns are as far, p is 1.
  PairedColumn column{.name = "conf", .is_share = false, .n = 2};
  std::vector<double> differences = {1.0, 2.0};
  std::vector<uint32_t> clusters = {4, 4};
  ComparedRow row = compared_row(column, differences, clusters, 1, 0, {});
  EXPECT_EQ(row.p_method, "cluster-permutation");
  EXPECT_EQ(*row.p, 1.0);
}

TEST(ComparedRow, IsUndefinedWithoutItems) {
  ComparedRow row = compared_row({.name = "conf"}, {}, {}, 1, 0, {});
  EXPECT_TRUE(std::isnan(row.difference));
  EXPECT_FALSE(row.p.has_value());
}

TEST(DifferenceIntervals, ResampleItemsOrClusters) {
  const double nan = std::nan("");
  std::vector<double> differences = {1, nan, 1, 0, 1, nan, 1, 0};  // [4, 2]
  std::vector<uint32_t> apart = {3, 1, 2, 0};
  auto intervals = difference_intervals(differences, apart, 2, {});
  EXPECT_EQ(intervals[0]->method, "bootstrap");
  EXPECT_EQ(intervals[0]->low, 1.0);
  EXPECT_EQ(intervals[1]->high, 0.0);
  std::vector<uint32_t> shared = {7, 7, 2, 2};
  intervals = difference_intervals(differences, shared, 2, {});
  EXPECT_EQ(intervals[0]->method, "cluster-bootstrap");
  EXPECT_EQ(intervals[0]->high, 1.0);
}

TEST(AdjustFamily, TakesRowsOfOneKindThatHaveAP) {
  std::vector<ComparedRow> rows(4);
  rows[0].p = 0.04;
  rows[1].p = 0.01;
  rows[2].kind = RowKind::kTask;
  rows[2].p = 0.5;
  EXPECT_EQ(adjust_family(rows, RowKind::kColumn), 2U);
  EXPECT_DOUBLE_EQ(*rows[0].p_holm, 0.04);
  EXPECT_DOUBLE_EQ(*rows[1].p_holm, 0.02);
  EXPECT_FALSE(rows[2].p_holm.has_value());
  EXPECT_FALSE(rows[3].p_holm.has_value());
}

}  // namespace
}  // namespace snellen::report
