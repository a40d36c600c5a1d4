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

std::vector<stats::UnitClusters> singles(const std::vector<uint32_t>& numbers) {
  std::vector<stats::UnitClusters> clusters;
  for (uint32_t number : numbers) clusters.push_back({number, stats::kNoCluster});
  return clusters;
}

// The differences of `share`, in its order, each item alone.
PairedSums independent(const PairedColumn& column) {
  std::vector<double> differences(column.counts.both_right, 0.0);
  differences.insert(differences.end(), column.counts.only_first, -1.0);
  differences.insert(differences.end(), column.counts.only_second, 1.0);
  differences.insert(differences.end(), column.counts.both_wrong, 0.0);
  std::vector<uint32_t> numbers(differences.size());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<uint32_t>(i);
  return sums_of(differences, singles(numbers), 1, {});
}

TEST(ComparedRow, TestsSharesOfIndependentItemsByMcNemar) {
  PairedColumn column = share(3, 1, 5, 1);
  ComparedRow row = compared_row(column, independent(column), 0, 0.005, {});
  EXPECT_DOUBLE_EQ(row.first, 0.4);
  EXPECT_DOUBLE_EQ(row.second, 0.8);
  EXPECT_NEAR(row.difference, 0.4, 1e-15);
  // 2 P(Bin(6, 1/2) <= 1) = 2 (1 + 6) / 64; mid-p takes P(1) = 6/64 off.
  EXPECT_NEAR(*row.p, 14.0 / 64, 1e-15);
  EXPECT_NEAR(*row.mid_p, 8.0 / 64, 1e-15);
  EXPECT_EQ(row.p_method, "mcnemar-exact");
  EXPECT_EQ(row.effective_n, 10.0);
  // Left out, each item moves the mean by its residual / 9: t with 9 degrees of freedom.
  double error = std::sqrt((4 * 0.16 + 1.96 + 5 * 0.36) / 81.0);
  EXPECT_EQ(row.interval->method, "paired-t");
  EXPECT_NEAR(row.interval->low, 0.4 - 2.2621571627982053 * error, 1e-12);
  EXPECT_NEAR(row.interval->high, 0.4 + 2.2621571627982053 * error, 1e-12);
}

TEST(ComparedRow, CorrectsMcNemarFrom25DiscordantItems) {
  PairedColumn column = share(0, 5, 20, 0);
  ComparedRow row = compared_row(column, independent(column), 0, 0.005, {});
  EXPECT_EQ(row.p_method, "mcnemar-corrected");
  EXPECT_NEAR(*row.p, std::erfc(std::sqrt(14.0 * 14.0 / 25.0 / 2.0)), 1e-15);
}

TEST(ComparedRow, TestsMeansByFlippingSigns) {
  // Two differences of one sign: of four sign patterns two are as far from 0, so p is near 1/2.
  PairedColumn column{.name = "conf", .is_share = false, .n = 2};
  column.second_sum.add(3.0);
  PairedSums sums = sums_of(std::vector<double>{1.0, 2.0}, singles({0, 1}), 1, {});
  ComparedRow row = compared_row(column, sums, 0, 0.005, {});
  EXPECT_EQ(row.p_method, "sign-flip");
  EXPECT_NEAR(*row.p, 0.5, 0.03);
  EXPECT_DOUBLE_EQ(row.difference, 1.5);
  EXPECT_FALSE(row.interval);
  EXPECT_EQ(row.reason, "too few items for an interval");
  // (z_0.975 + z_0.8) * sd / sqrt(2), sd = sqrt(1/2): 2.8015852 / 2.
  EXPECT_NEAR(*row.detectable, 1.4007926, 1e-6);
}

// Twenty items right in the second run alone, five to a picture.
struct FourPictures {
  PairedColumn column = share(0, 0, 20, 0);
  std::vector<double> differences = std::vector<double>(20, 1.0);
  std::vector<stats::UnitClusters> clusters;

  FourPictures() {
    for (uint32_t i = 0; i < 20; ++i) clusters.push_back({i / 5, stats::kNoCluster});
  }
};

TEST(ComparedRow, FlipsClustersWholeWhereItemsShareThem) {
  FourPictures pictures;
  PairedSums sums = sums_of(pictures.differences, pictures.clusters, 1, {});
  ComparedRow row = compared_row(pictures.column, sums, 0, 0.005, {});
  EXPECT_EQ(row.p_method, "cluster-sign-flip");
  EXPECT_NEAR(*row.p, 2.0 / 16.0, 0.02);  // McNemar's would be 2 / 2^20
  EXPECT_FALSE(row.mid_p);
  EXPECT_FALSE(row.interval);
  EXPECT_EQ(row.reason, "too few clusters for an interval");
  EXPECT_EQ(row.num_clusters, 4U);
  EXPECT_EQ(row.effective_n, 4.0);
}

TEST(ComparedRow, TakesMcNemarWhereItIsAskedFor) {
  FourPictures pictures;
  PairedSums sums = sums_of(pictures.differences, pictures.clusters, 1, {});
  ComparedRow row = compared_row(pictures.column, sums, 0, 0.005, {.test = PairedTest::kMcNemar});
  EXPECT_EQ(row.p_method, "mcnemar-exact");
  EXPECT_NEAR(*row.p, std::exp2(-19.0), 1e-20);
}

TEST(ComparedRow, TestsItemsOfTwoPicturesByTheirInterval) {
  std::vector<double> differences;
  std::vector<stats::UnitClusters> clusters;
  for (uint32_t i = 0; i < 30; ++i) {
    differences.push_back(i % 3 == 0 ? 0.0 : 1.0);
    clusters.push_back({i, (i + 1) % 30});
  }
  PairedColumn column = share(10, 0, 20, 0);
  PairedSums sums = sums_of(differences, clusters, 1, {});
  ComparedRow row = compared_row(column, sums, 0, 0.005, {});
  EXPECT_EQ(row.p_method, "dyadic-t");
  EXPECT_EQ(row.interval->method, "dyadic-t");
  EXPECT_LT(*row.p, 0.001);
  EXPECT_EQ(row.num_clusters, 30U);
}

TEST(ComparedRow, GivesAFloorWhereNoDrawIsAsFar) {
  std::vector<double> differences(60, 1.0);
  std::vector<stats::UnitClusters> clusters;
  for (uint32_t i = 0; i < 60; ++i) clusters.push_back({i / 2, stats::kNoCluster});
  PairedColumn column = share(0, 0, 60, 0);
  PairedSums sums = sums_of(differences, clusters, 1, {});
  ComparedRow row = compared_row(column, sums, 0, 1e-5, {});
  EXPECT_TRUE(row.is_p_floor);
  EXPECT_LT(*row.p, 1e-5);  // more draws than the usual 10,000
}

TEST(ComparedRow, IsUndefinedWithoutItems) {
  ComparedRow row = compared_row({.name = "conf"}, sums_of({}, {}, 1, {}), 0, 0.005, {});
  EXPECT_TRUE(std::isnan(row.difference));
  EXPECT_FALSE(row.p.has_value());
}

TEST(ComparedRow, ResamplesItemsOrClustersWhereABootstrapIsAskedFor) {
  const double nan = std::nan("");
  std::vector<double> differences = {1, nan, 1, 0, 1, nan, 1, 0};  // [4, 2]
  CompareOptions options{.bootstrap = 200};
  PairedSums apart = sums_of(differences, singles({3, 1, 2, 0}), 2, options);
  PairedColumn column = share(0, 0, 4, 0);
  ComparedRow row = compared_row(column, apart, 0, 0.005, options);
  EXPECT_EQ(row.interval->method, "bootstrap");
  EXPECT_EQ(row.interval->low, 1.0);
  PairedSums shared = sums_of(differences, singles({7, 7, 2, 2}), 2, options);
  row = compared_row(column, shared, 0, 0.005, options);
  EXPECT_EQ(row.interval->method, "cluster-bootstrap");
  EXPECT_EQ(row.interval->high, 1.0);
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
