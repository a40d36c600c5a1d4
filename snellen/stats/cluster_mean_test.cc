// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/cluster_mean.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/rng.h"

namespace snellen::stats {
namespace {

// Right answers of items, one cluster each two items.
const std::vector<WeightedSum> kFive = {{2, 2}, {0, 2}, {1, 2}, {1, 2}, {2, 2}};

TEST(EstimateMean, OfEqualClustersIsTheHandComputedOne) {
  MeanEstimate estimate = estimate_mean(kFive);
  EXPECT_DOUBLE_EQ(estimate.mean, 0.6);
  // Residuals 0.8, -1.2, -0.2, -0.2, 0.8; each moves the mean by itself / 8 when left out.
  EXPECT_NEAR(estimate.variance, 2.8 / 64.0, 1e-15);
  EXPECT_NEAR(estimate.degrees_of_freedom, 4.0, 1e-12);
  EXPECT_EQ(estimate.num_clusters, 5U);
  Interval interval = *interval_of(estimate, ValueKind::kMean, 0.95).interval;
  EXPECT_NEAR(interval.high, 0.6 + 2.7764451051977934 * std::sqrt(2.8 / 64.0), 1e-12);
  EXPECT_EQ(interval.method, "cluster-t");
}

TEST(EstimateMean, OfUnevenClustersIsTheJackknife) {
  std::vector<WeightedSum> clusters = {{3, 4}, {1, 7}, {2, 2}, {0, 1}, {9, 20}, {0, 0}};
  MeanEstimate estimate = estimate_mean(clusters);
  EXPECT_EQ(estimate.num_clusters, 5U);
  double squares = 0.0;
  for (const WeightedSum& left_out : clusters) {
    double without = (15.0 - left_out.sum) / (34.0 - left_out.weight);
    squares += (without - 15.0 / 34.0) * (without - 15.0 / 34.0);
  }
  EXPECT_NEAR(estimate.variance, squares, 1e-15);
}

// (trace M)^2 / trace M^2 with the matrix written out.
double degrees_by_matrix(const std::vector<double>& sizes, bool is_equal_within) {
  double all = 0.0;
  double q = 0.0;
  for (double n : sizes) all += n;
  for (double n : sizes) q += n * n / (all * all);
  double trace = 0.0;
  double squares = 0.0;
  for (size_t g = 0; g < sizes.size(); ++g) {
    for (size_t h = 0; h < sizes.size(); ++h) {
      double scale = 1.0 / std::sqrt((1.0 - sizes[g] / all) * (1.0 - sizes[h] / all));
      double same = g == h ? 1.0 : 0.0;
      double m = is_equal_within
                     ? sizes[g] * sizes[h] * (same - sizes[g] / all - sizes[h] / all + q)
                     : same * sizes[g] - sizes[g] * sizes[h] / all;
      m *= scale;
      if (g == h) trace += m;
      squares += m * m;
    }
  }
  return trace * trace / squares;
}

TEST(EstimateMean, HasFewerDegreesOfFreedomForUnevenClusters) {
  std::vector<double> sizes = {1, 2, 3, 10, 30, 4, 4};
  std::vector<WeightedSum> clusters;
  for (double size : sizes) clusters.push_back({0.0, size});
  double independent = degrees_by_matrix(sizes, false);
  double equal = degrees_by_matrix(sizes, true);
  EXPECT_NEAR(estimate_mean(clusters).degrees_of_freedom, std::min(independent, equal), 1e-10);
  EXPECT_LT(std::min(independent, equal), 4.0);
}

// Ten pictures in a ring, each item shows two neighbours.
struct Ring {
  std::vector<WeightedSum> units;
  std::vector<UnitClusters> clusters;

  explicit Ring(double copies) {
    Rng rng = Rng(3).fork("ring");
    for (uint32_t i = 0; i < 10; ++i) {
      clusters.push_back({i, (i + 1) % 10});
      units.push_back({copies * rng.gauss(), copies});
    }
  }
  MeanEstimate estimate() const { return estimate_mean(units, clusters, 10); }
};

TEST(EstimateMeanOfPairs, SumsOverAllPairsOfItemsThatShareAPicture) {
  Ring ring(1.0);
  MeanEstimate estimate = ring.estimate();
  EXPECT_TRUE(estimate.is_two_way);
  EXPECT_EQ(estimate.num_clusters, 10U);
  double by_picture = 0.0;
  double by_unit = 0.0;
  for (size_t i = 0; i < 10; ++i) {
    for (size_t j = 0; j < 10; ++j) {
      double product = (ring.units[i].sum - estimate.mean) * (ring.units[j].sum - estimate.mean);
      size_t apart = (i + 10 - j) % 10;
      by_picture += (apart == 0 ? 2.0 : apart == 1 || apart == 9 ? 1.0 : 0.0) * product;
      if (apart == 0) by_unit += product;
    }
  }
  double dyadic =
      by_picture / 64.0 - by_unit / 81.0;  // 8 items without a picture, 9 without a pair
  EXPECT_NEAR(estimate.variance, std::max(dyadic, by_unit / 81.0), 1e-14);
}

TEST(EstimateMeanOfPairs, TakesMirroredItemsAsOneUnit) {
  MeanEstimate once = Ring(1.0).estimate();
  MeanEstimate twice = Ring(2.0).estimate();  // each item and its mirror image, with equal values
  EXPECT_NEAR(twice.mean, once.mean, 1e-15);
  EXPECT_NEAR(twice.variance, once.variance, 1e-14);
  EXPECT_EQ(twice.degrees_of_freedom, once.degrees_of_freedom);
}

TEST(EstimateMeanOfPairs, IsNeverBelowOneWay) {
  // Neighbours of opposite sign: the pairs that share a picture cancel.
  std::vector<WeightedSum> units;
  std::vector<UnitClusters> clusters;
  for (uint32_t i = 0; i < 10; ++i) {
    units.push_back({i % 2 == 0 ? 1.0 : -1.0, 1.0});
    clusters.push_back({i, (i + 1) % 10});
  }
  MeanEstimate estimate = estimate_mean(units, clusters, 10);
  EXPECT_NEAR(estimate.variance, 10.0 / 81.0, 1e-15);
}

TEST(EstimateMeanOfPairs, OfPicturesThatMeetOnceIsThatOfIndependentItems) {
  std::vector<WeightedSum> units = {{1, 1}, {0, 1}, {1, 1}, {1, 1}, {0, 1}, {1, 1}};
  std::vector<UnitClusters> clusters;
  for (uint32_t i = 0; i < 6; ++i) clusters.push_back({2 * i, 2 * i + 1});
  EXPECT_NEAR(estimate_mean(units, clusters, 12).variance, estimate_mean(units).variance, 1e-15);
}

TEST(IntervalOf, IsNoneBelowFiveClusters) {
  std::vector<WeightedSum> four(kFive.begin(), kFive.begin() + 4);
  MeanInterval none = interval_of(estimate_mean(four), ValueKind::kShare, 0.95);
  EXPECT_FALSE(none.interval);
  EXPECT_EQ(none.reason, "too few clusters for an interval");
}

TEST(IntervalOf, IsNoneWhenOnePictureIsInEveryItem) {
  std::vector<WeightedSum> units = {{1, 1}, {0, 1}, {1, 1}, {1, 1}, {0, 1}};
  std::vector<UnitClusters> star = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}};
  MeanInterval none = interval_of(estimate_mean(units, star, 6), ValueKind::kShare, 0.95);
  EXPECT_FALSE(none.interval);
  EXPECT_EQ(none.reason, "one cluster is in every item");
}

TEST(IntervalOf, AShareIsWilsonsWithTheEffectiveNumberAndT) {
  MeanEstimate estimate = estimate_mean(kFive);
  double n = 0.24 / (2.8 / 64.0);
  double t2 = 2.7764451051977934 * 2.7764451051977934;
  double centre = (0.6 + t2 / (2 * n)) / (1 + t2 / n);
  double half = std::sqrt(t2) * std::sqrt(0.24 / n + t2 / (4 * n * n)) / (1 + t2 / n);
  Interval interval = *interval_of(estimate, ValueKind::kShare, 0.95).interval;
  EXPECT_NEAR(interval.low, centre - half, 1e-12);
  EXPECT_NEAR(interval.high, centre + half, 1e-12);
  EXPECT_EQ(interval.method, "cluster-wilson");
}

TEST(IntervalOf, AShareIsNeverNarrowerThanThatOfIndependentItems) {
  // Every cluster but one has exactly half of its items right.
  std::vector<WeightedSum> clusters(20, {1, 2});
  clusters[0] = {2, 2};
  Interval interval = *interval_of(estimate_mean(clusters), ValueKind::kShare, 0.95).interval;
  Interval independent = *wilson(21, 40, 0.95);
  EXPECT_LE(interval.low, independent.low);
  EXPECT_GE(interval.high, independent.high);
}

TEST(IntervalOf, ClustersThatDoNotDifferGiveWilsonsWithTheirNumber) {
  std::vector<WeightedSum> all_right(8, {3, 3});
  Interval interval = *interval_of(estimate_mean(all_right), ValueKind::kShare, 0.95).interval;
  Interval wanted = *wilson(8, 8, 0.95);
  EXPECT_EQ(interval.low, wanted.low);
  EXPECT_EQ(interval.high, 1.0);
  EXPECT_EQ(interval.method, "wilson-clusters");
  std::vector<WeightedSum> half_right(8, {0.3, 0.6});  // sums that round
  interval = *interval_of(estimate_mean(half_right), ValueKind::kShare, 0.95).interval;
  EXPECT_NEAR(interval.low, wilson(4, 8, 0.95)->low, 1e-15);
}

TEST(IntervalOf, EqualRunsHaveADifferenceOfSomeWidth) {
  std::vector<WeightedSum> equal(8, {0, 3});
  MeanEstimate estimate = estimate_mean(equal);
  Interval interval = *interval_of(estimate, ValueKind::kDifference, 0.95).interval;
  EXPECT_NEAR(interval.high, 1.0 - wilson(8, 8, 0.95)->low, 1e-15);
  EXPECT_EQ(interval.low, -interval.high);
  EXPECT_EQ(*mean_test_p(estimate), 1.0);
}

TEST(IntervalOf, AMeanWithoutSpreadHasNone) {
  std::vector<WeightedSum> equal(8, {7.4, 2});
  MeanInterval none = interval_of(estimate_mean(equal), ValueKind::kMean, 0.95);
  EXPECT_FALSE(none.interval);
  EXPECT_EQ(none.reason, "all clusters have the same mean");
}

TEST(MeanTest, BelongsToTheInterval) {
  MeanEstimate estimate = estimate_mean(kFive);
  Interval interval = *interval_of(estimate, ValueKind::kMean, 0.95).interval;
  double p = *mean_test_p(estimate);
  EXPECT_EQ(p<0.05, interval.low> 0.0);
  // At the confidence 1 - p the bound is 0.
  EXPECT_NEAR(interval_of(estimate, ValueKind::kMean, 1.0 - p).interval->low, 0.0, 1e-9);
}

TEST(EffectiveN, IsOneItemPerClusterWhenClustersAreAllOrNothing) {
  std::vector<WeightedSum> clusters;
  for (int i = 0; i < 100; ++i) clusters.push_back({i % 2 == 0 ? 10.0 : 0.0, 10.0});
  // 100, less what the leaving out of a cluster adds to the variance.
  EXPECT_NEAR(effective_n(estimate_mean(clusters), 0.25), 98.01, 1e-9);
}

}  // namespace
}  // namespace snellen::stats
