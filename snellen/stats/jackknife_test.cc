// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/jackknife.h"

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::stats {
namespace {

constexpr BootstrapOptions kByFormula{.replicates = 0};

// Sums of values by cluster; the statistic is their mean.
ClusterStatistic mean_of(const std::vector<WeightedSum>& clusters, StatisticRange range) {
  ClusterStatistic one{.of =
                           [clusters](std::span<const uint32_t> taken) {
                             WeightedSum all;
                             for (const uint32_t cluster : taken) {
                               all.sum += clusters[cluster].sum;
                               all.weight += clusters[cluster].weight;
                             }
                             return all.sum / all.weight;
                           },
                       .sizes = {},
                       .range = range};
  for (const WeightedSum& cluster : clusters) one.sizes.push_back(cluster.weight);
  return one;
}

std::vector<WeightedSum> uneven_clusters() {
  return {{2, 4}, {3, 3}, {0, 5}, {1, 2}, {4, 6}, {2, 3}, {5, 8}, {1, 4}, {2, 2}, {3, 7}};
}

TEST(Jackknife, OfAMeanIsTheIntervalOfMeans) {
  // Its moves are near to normal, so that the sizes decide the degrees of freedom.
  const std::vector<WeightedSum> clusters = uneven_clusters();
  const Interval want = *interval_of(estimate_mean(clusters), ValueKind::kMean, 0.95).interval;
  const Interval got =
      *jackknife_interval(mean_of(clusters, StatisticRange::kAny), kByFormula).interval;
  EXPECT_NEAR(got.low, want.low, 1e-12);
  EXPECT_NEAR(got.high, want.high, 1e-12);
  EXPECT_EQ(got.method, "jackknife-t");
  const Interval share =
      *jackknife_interval(mean_of(clusters, StatisticRange::kShare), kByFormula).interval;
  const Interval wilson = *interval_of(estimate_mean(clusters), ValueKind::kShare, 0.95).interval;
  EXPECT_NEAR(share.low, wilson.low, 1e-12);
  EXPECT_NEAR(share.high, wilson.high, 1e-12);
  EXPECT_EQ(share.method, "jackknife-wilson");
}

// The worked example of docs/stats/intervals.md.
TEST(Jackknife, OfADifferenceOfSubsets) {
  const std::vector<double> base = {2, 0, 1, 1, 2};
  const std::vector<double> text = {1, 0, 0, 1, 1};
  const ClusterStatistic difference{.of =
                                        [&](std::span<const uint32_t> taken) {
                                          double sum = 0.0;
                                          for (const uint32_t picture : taken)
                                            sum += base[picture] - text[picture];
                                          return sum / (2.0 * static_cast<double>(taken.size()));
                                        },
                                    .sizes = {4, 4, 4, 4, 4},
                                    .range = StatisticRange::kDifference};
  const Interval found = *jackknife_interval(difference, kByFormula).interval;
  EXPECT_NEAR(found.low, 0.3 - 0.3802, 1e-4);
  EXPECT_NEAR(found.high, 0.3 + 0.3802, 1e-4);
}

TEST(Jackknife, DoesNotDependOnThreads) {
  ClusterStatistic mean = mean_of(uneven_clusters(), StatisticRange::kAny);
  const Interval one = *jackknife_interval(mean, kByFormula).interval;
  const Interval four = *jackknife_interval(mean, {.replicates = 0, .num_threads = 4}).interval;
  EXPECT_EQ(one.low, four.low);
  EXPECT_EQ(one.high, four.high);
}

TEST(Jackknife, TakesFewDegreesOfFreedomWhereOneClusterDecides) {
  std::vector<WeightedSum> even(20);
  for (size_t i = 0; i < even.size(); ++i) even[i] = {i % 2 == 0 ? 1.0 : 0.0, 4.0};
  std::vector<WeightedSum> one(20, {0.0, 4.0});
  one[3].sum = 2.0;
  auto width_in_errors = [](const std::vector<WeightedSum>& clusters) {
    const Interval found =
        *jackknife_interval(mean_of(clusters, StatisticRange::kAny), kByFormula).interval;
    return (found.high - found.low) / (2.0 * std::sqrt(estimate_mean(clusters).variance));
  };
  EXPECT_NEAR(width_in_errors(even), 2.093, 1e-3);  // 19 degrees of freedom
  EXPECT_GT(width_in_errors(one), 3.0);
}

TEST(Jackknife, IsCutToWhatTheStatisticCanBe) {
  std::vector<WeightedSum> clusters = uneven_clusters();
  clusters.resize(6);
  ClusterStatistic mean = mean_of(clusters, StatisticRange::kAtLeastZero);
  mean.of = [of = mean.of](std::span<const uint32_t> taken) { return of(taken) - 0.5; };
  EXPECT_GE(jackknife_interval(mean, kByFormula).interval->low, 0.0);
  mean.of = [of = mean.of](std::span<const uint32_t> taken) { return of(taken) + 0.95; };
  mean.range = StatisticRange::kDifference;
  EXPECT_LE(jackknife_interval(mean, kByFormula).interval->high, 1.0);
  mean.range = StatisticRange::kAtMostOne;
  const Interval gain = *jackknife_interval(mean, kByFormula).interval;
  EXPECT_LE(gain.high, 1.0);
  EXPECT_EQ(gain.method, "jackknife-rate");
}

TEST(Jackknife, MovesTheLowerEndOfTheLargestAndTheUpperEndOfTheSmallest) {
  ClusterStatistic mean = mean_of(uneven_clusters(), StatisticRange::kAny);
  const Interval plain = *jackknife_interval(mean, kByFormula).interval;
  mean.largest_of = 6;
  const Interval largest = *jackknife_interval(mean, kByFormula).interval;
  EXPECT_LT(largest.low, plain.low);
  EXPECT_EQ(largest.high, plain.high);
  mean.largest_of = 1;
  mean.smallest_of = 2;
  const Interval smallest = *jackknife_interval(mean, kByFormula).interval;
  EXPECT_EQ(smallest.low, plain.low);
  EXPECT_GT(smallest.high, plain.high);
}

TEST(Jackknife, LeavesGroupsOutOfManyClusters) {
  std::vector<WeightedSum> clusters(5000);
  for (size_t i = 0; i < clusters.size(); ++i) clusters[i] = {i * 7919 % 11 < 3 ? 2.0 : 0.5, 2.0};
  const Interval want = *interval_of(estimate_mean(clusters), ValueKind::kMean, 0.95).interval;
  const Interval got =
      *jackknife_interval(mean_of(clusters, StatisticRange::kAny), kByFormula).interval;
  EXPECT_NEAR(got.high - got.low, want.high - want.low, 0.1 * (want.high - want.low));
}

TEST(Jackknife, SaysWhyThereIsNone) {
  auto reason = [](const std::vector<WeightedSum>& clusters, StatisticRange range) {
    const MeanInterval found = jackknife_interval(mean_of(clusters, range), kByFormula);
    EXPECT_FALSE(found.interval);
    return found.reason;
  };
  constexpr auto kAny = StatisticRange::kAny;
  EXPECT_EQ(reason({{1, 1}, {0, 1}, {1, 1}, {0, 1}, {0, 0}}, kAny),
            "too few clusters for an interval");
  EXPECT_EQ(reason({}, StatisticRange::kShare), "too few clusters for an interval");
  EXPECT_EQ(reason({{1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}}, kAny), "no cluster changes the value");
  ClusterStatistic first = mean_of({{1, 2}, {1, 1}, {0, 1}, {1, 1}, {0, 1}}, kAny);
  first.of = [](std::span<const uint32_t> taken) { return taken[0] == 0 ? 0.5 : std::nan(""); };
  EXPECT_EQ(jackknife_interval(first, kByFormula).reason,
            "the value is undefined without one of the clusters");
  EXPECT_THROW((void)jackknife_interval(first, {.replicates = 0, .confidence = 1}), Error);
}

TEST(Jackknife, GivesWhatClustersAloneTellWhereNothingMovesAShareOrADifference) {
  const std::vector<WeightedSum> right(10, {2.0, 2.0});
  const Interval share =
      *jackknife_interval(mean_of(right, StatisticRange::kShare), kByFormula).interval;
  EXPECT_EQ(share.high, 1.0);
  EXPECT_NEAR(share.low, 0.6615, 1e-4);  // 10 / (10 + t^2), t with 9 degrees of freedom 2.262
  ClusterStatistic none = mean_of(right, StatisticRange::kDifference);
  none.of = [of = none.of](std::span<const uint32_t> taken) { return of(taken) - 1.0; };
  const Interval difference = *jackknife_interval(none, kByFormula).interval;
  EXPECT_NEAR(difference.low, -0.3385, 1e-4);
  EXPECT_NEAR(difference.high, 0.3385, 1e-4);
}

TEST(StatisticInterval, ResamplesWhereItIsAskedTo) {
  ClusterStatistic mean = mean_of(uneven_clusters(), StatisticRange::kShare);
  EXPECT_EQ(statistic_interval(mean, kByFormula).interval->method, "jackknife-wilson");
  EXPECT_EQ(statistic_interval(mean, {.replicates = 50}).interval->method, "cluster-bootstrap");
}

}  // namespace
}  // namespace snellen::stats
