// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/bootstrap.h"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/rng.h"
#include "snellen/stats/cluster_sums.h"
#include "snellen/stats/resample.h"

namespace snellen::stats {
namespace {

std::vector<double> random_values(size_t n, uint64_t seed) {
  Rng rng = Rng(seed).fork("values");
  std::vector<double> values(n);
  for (double& value : values) value = rng.gauss();
  return values;
}

double mean_at(std::span<const double> values, std::span<const uint32_t> indices) {
  double sum = 0.0;
  for (uint32_t index : indices) sum += values[index];
  return sum / static_cast<double>(indices.size());
}

// As `--bootstrap B` takes means: every item is a cluster of its own.
std::optional<Interval> bootstrap_mean(std::span<const double> values,
                                       const BootstrapOptions& options) {
  ClusterSums items(1);
  for (double value : values) items.add(items.unit(std::to_string(items.num_units())), 0, value);
  return items.intervals(options)[0];
}

void expect_same_bits(const std::optional<Interval>& a, const std::optional<Interval>& b) {
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->low, b->low);
  EXPECT_EQ(a->high, b->high);
}

TEST(Resample, ContinuesOneStreamFromReplicateToReplicate) {
  std::vector<uint32_t> whole(30);
  Resample(2024, 0, 30).fill(whole);
  // The first outputs of SplitMix64 with state 0 are published; u = x >> 11 scaled to 10 items.
  std::vector<uint32_t> first(2);
  Resample(0, 0, 10).fill(first);
  EXPECT_EQ(first[0],
            static_cast<uint32_t>(static_cast<double>(0xE220A8397B1DCDAFU >> 11) * 0x1p-53 * 10));
  EXPECT_EQ(first[1],
            static_cast<uint32_t>(static_cast<double>(0x6E789E6AA1B965F4U >> 11) * 0x1p-53 * 10));
  std::vector<uint32_t> a(7);
  std::vector<uint32_t> b(7);
  Resample continued(9, 0, 7);
  continued.fill(a);
  continued.fill(a);
  Resample(9, 1, 7).fill(b);
  EXPECT_EQ(a, b);
}

TEST(BootstrapMean, OfEqualValuesIsThatValue) {
  std::vector<double> values(9, 0.25);
  Interval interval = *bootstrap_mean(values, {});
  EXPECT_EQ(interval.low, 0.25);
  EXPECT_EQ(interval.high, 0.25);
  EXPECT_EQ(interval.method, "cluster-bootstrap");
}

TEST(BootstrapMean, AgreesWithTheNormalIntervalForManyValues) {
  std::vector<double> values = random_values(4000, 1);
  Moments moments;
  for (double value : values) moments.add(value);
  Interval normal = *mean_interval(moments, 0.95);
  Interval drawn = *bootstrap_mean(values, {.replicates = 4000});
  double half = (normal.high - normal.low) / 2;
  EXPECT_NEAR(drawn.low, normal.low, 0.1 * half);
  EXPECT_NEAR(drawn.high, normal.high, 0.1 * half);
}

TEST(BootstrapMean, HasNoIntervalWithoutValuesOrWithAnUndefinedOne) {
  EXPECT_FALSE(bootstrap_mean({}, {}));
  std::vector<double> values = {1.0, std::nan("")};
  EXPECT_FALSE(bootstrap_mean(values, {}));
}

TEST(Bootstrap, GivesTheSameBitsOnAnyNumberOfThreads) {
  std::vector<double> values = random_values(777, 2);
  ClusterSums clusters(2);
  for (size_t i = 0; i < values.size(); ++i) {
    size_t number = clusters.unit(std::to_string(i / 5));
    clusters.add(number, 0, values[i]);
    if (i % 3 == 0) clusters.add(number, 1, values[i], 0.5);
  }
  auto statistic = [&](std::span<const uint32_t> indices) { return mean_at(values, indices); };
  BootstrapOptions one{.replicates = 333, .seed = 5};
  for (unsigned num_threads : {2U, 8U}) {
    BootstrapOptions many = one;
    many.num_threads = num_threads;
    expect_same_bits(bootstrap_mean(values, one), bootstrap_mean(values, many));
    expect_same_bits(bootstrap(values.size(), statistic, one),
                     bootstrap(values.size(), statistic, many));
    auto alone = clusters.intervals(one);
    auto together = clusters.intervals(many);
    for (size_t column = 0; column < 2; ++column) expect_same_bits(alone[column], together[column]);
  }
}

TEST(Bootstrap, OfACallbackDrawsAsTheMeanDoes) {
  std::vector<double> values = random_values(600, 3);
  auto statistic = [&](std::span<const uint32_t> indices) { return mean_at(values, indices); };
  expect_same_bits(bootstrap(values.size(), statistic, {.seed = 8}),
                   bootstrap_mean(values, {.seed = 8}));
}

TEST(Bootstrap, SkipsUndefinedReplicates) {
  // Undefined whenever item 0 was drawn first; 1 otherwise.
  auto statistic = [](std::span<const uint32_t> indices) {
    return indices[0] == 0 ? std::nan("") : 1.0;
  };
  Interval interval = *bootstrap(3, statistic, {});
  EXPECT_EQ(interval.low, 1.0);
  EXPECT_EQ(interval.high, 1.0);
  EXPECT_FALSE(bootstrap(3, [](auto) { return std::nan(""); }, {}));
  EXPECT_FALSE(bootstrap(0, statistic, {}));
}

TEST(Bootstrap, PassesOnWhatTheStatisticThrows) {
  auto statistic = [](std::span<const uint32_t>) -> double {
    throw Error(ErrorCode::kInvalidInput, "bad");
  };
  EXPECT_THROW(bootstrap(3, statistic, {.num_threads = 2}), Error);
}

TEST(Bootstrap, RefusesOptionsOutOfRange) {
  std::vector<double> values = {1.0};
  EXPECT_THROW(bootstrap_mean(values, {.replicates = 0}), Error);
  EXPECT_THROW(bootstrap_mean(values, {.replicates = 100'000'000}), Error);
  EXPECT_THROW(bootstrap_mean(values, {.confidence = 95}), Error);
}

TEST(ClusterSums, PoolsSumsAndWeightsOfTheDrawnClusters) {
  ClusterSums clusters(1);
  std::vector<double> sums = {3.0, 0.0, 5.0};
  std::vector<double> weights = {4.0, 1.0, 5.0};
  for (size_t i = 0; i < 3; ++i) {
    clusters.add(clusters.unit(std::string(1, static_cast<char>('a' + i))),
                 0,
                 sums[i] / weights[i],
                 weights[i]);
  }
  auto pooled = [&](std::span<const uint32_t> indices) {
    double sum = 0.0;
    double weight = 0.0;
    for (uint32_t index : indices) {
      sum += sums[index];
      weight += weights[index];
    }
    return sum / weight;
  };
  std::optional<Interval> want = cluster_bootstrap(3, pooled, {});
  EXPECT_EQ(want->method, "cluster-bootstrap");
  expect_same_bits(clusters.intervals({})[0], want);
}

TEST(ClusterSums, IsWiderThanThePlainOneForItemsThatMoveTogether) {
  std::vector<double> values;
  ClusterSums clusters(1);
  for (double value : random_values(50, 5)) {
    size_t number = clusters.unit(std::to_string(value));
    for (int copy = 0; copy < 10; ++copy) {
      values.push_back(value);
      clusters.add(number, 0, value);
    }
  }
  Interval plain = *bootstrap_mean(values, {});
  Interval clustered = *clusters.intervals({})[0];
  // Ten copies of an item carry the information of one: sqrt(10) wider.
  EXPECT_NEAR((clustered.high - clustered.low) / (plain.high - plain.low), std::sqrt(10.0), 0.4);
}

TEST(ClusterSums, AColumnDoesNotDependOnItsNeighbours) {
  ClusterSums both(2);
  ClusterSums alone(1);
  for (double value : random_values(40, 6)) {
    const std::string name = std::to_string(alone.num_units());
    both.add(both.unit(name), 0, 1.0, 3.0);
    both.add(both.unit(name), 1, value, 2.0);
    alone.add(alone.unit(name), 0, value, 2.0);
  }
  expect_same_bits(both.intervals({})[1], alone.intervals({})[0]);
}

TEST(ClusterSums, SkipsReplicatesWithoutWeightAndColumnsWithoutAny) {
  ClusterSums clusters(3);
  clusters.add(clusters.unit("a"), 0, 0.5, 2.0);
  clusters.add(clusters.unit("a"), 2, std::nan(""));
  clusters.add(clusters.unit("b"), 2, 1.0);
  auto intervals = clusters.intervals({});
  EXPECT_EQ(intervals[0]->low, 0.5);
  EXPECT_EQ(intervals[0]->high, 0.5);
  EXPECT_FALSE(intervals[1]);
  EXPECT_FALSE(intervals[2]);
  EXPECT_FALSE(ClusterSums(1).intervals({})[0]);
}

TEST(ClusterSums, NumbersClustersInOrderOfFirstAppearance) {
  ClusterSums clusters(1);
  EXPECT_EQ(clusters.unit("z"), 0U);
  EXPECT_EQ(clusters.unit("a"), 1U);
  EXPECT_EQ(clusters.unit("z"), 0U);
  EXPECT_EQ(clusters.num_clusters(), 2U);
  EXPECT_THROW(clusters.add(2, 0, 1.0), Error);
}

size_t unit_of(ClusterSums& clusters, const std::string& first, const std::string& second) {
  return clusters.unit(std::vector<std::string>{first, second});
}

TEST(ClusterSums, AUnitOfTwoClustersIsTheSameInEitherOrder) {
  ClusterSums clusters(1);
  EXPECT_EQ(clusters.unit("a"), 0U);
  EXPECT_FALSE(clusters.is_two_way());
  EXPECT_EQ(unit_of(clusters, "a", "b"), 1U);
  EXPECT_EQ(unit_of(clusters, "b", "a"), 1U);
  EXPECT_EQ(unit_of(clusters, "a", "a"), 0U);  // one picture twice is one picture
  EXPECT_EQ(clusters.unit("b"), 2U);
  EXPECT_EQ(clusters.unit("a"), 0U);
  EXPECT_TRUE(clusters.is_two_way());
  EXPECT_EQ(clusters.num_clusters(), 2U);
  EXPECT_EQ(clusters.num_units(), 3U);
}

TEST(ClusterSums, ATwoWayReplicateWeighsAUnitByBothItsClusters) {
  ClusterSums clusters(1);
  std::vector<std::array<size_t, 2>> units = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {1, 3}};
  std::vector<double> values = {1.0, 0.0, 2.0, 5.0, -1.0};
  for (size_t i = 0; i < units.size(); ++i) {
    size_t unit = unit_of(clusters, std::to_string(units[i][0]), std::to_string(units[i][1]));
    clusters.add(unit, 0, values[i]);
  }
  BootstrapOptions options{.replicates = 1, .seed = 4};
  std::vector<uint32_t> draws(4);
  Resample(4, 0, 4).fill(draws);
  std::vector<double> times(4);
  for (uint32_t draw : draws) times[draw] += 1.0;
  double sum = 0.0;
  double weight = 0.0;
  for (size_t i = 0; i < units.size(); ++i) {
    double factor = times[units[i][0]] * times[units[i][1]];
    sum += factor * values[i];
    weight += factor;
  }
  ASSERT_GT(weight, 0.0);
  Interval interval = *clusters.intervals(options)[0];
  EXPECT_EQ(interval.low, sum / weight);
  EXPECT_EQ(interval.method, "two-way-bootstrap");
}

TEST(ClusterSums, GivesIntervalsByFormulaOrByResampling) {
  ClusterSums clusters(2);
  for (size_t i = 0; i < 40; ++i) {
    size_t unit = clusters.unit(std::to_string(i / 4));
    clusters.add(unit, 0, i % 3 == 0 ? 1.0 : 0.0);
    clusters.add(unit, 1, static_cast<double>(i % 7));
  }
  std::vector<ValueKind> kinds = {ValueKind::kShare, ValueKind::kMean};
  auto found = clusters.mean_intervals(kinds, {.replicates = 0});
  EXPECT_EQ(found[0].interval->method, "cluster-wilson");
  EXPECT_EQ(found[1].interval->method, "cluster-t");
  found = clusters.mean_intervals(kinds, {.replicates = 100});
  EXPECT_EQ(found[1].interval->method, "cluster-bootstrap");
}

}  // namespace
}  // namespace snellen::stats
