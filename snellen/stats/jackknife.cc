// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/jackknife.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "snellen/base/error.h"
#include "snellen/stats/confidence.h"
#include "snellen/stats/parallel.h"
#include "snellen/stats/percentile.h"
#include "snellen/stats/student.h"

namespace snellen::stats {
namespace {

constexpr size_t kMostGroups = 2000;

// How far the statistic moves without each group of clusters; cluster i is in group i mod the
// number of groups.
std::vector<double> moves_of(const ClusterStatistic& statistic,
                             double value,
                             size_t num_groups,
                             unsigned num_threads) {
  const uint32_t num_clusters = checked_size(statistic.sizes.size());
  std::vector<double> moves(num_groups);
  for_ranges(num_groups, num_threads, [&](uint64_t first, uint64_t last) {
    std::vector<uint32_t> others;
    for (uint64_t group = first; group < last; ++group) {
      others.clear();
      for (uint32_t cluster = 0; cluster < num_clusters; ++cluster) {
        if (cluster % num_groups != group) others.push_back(cluster);
      }
      const double move = statistic.of(others) - value;
      // A rounding error is no move.
      moves[group] = std::abs(move) <= 1e-12 * std::abs(value) ? 0.0 : move;
    }
  });
  return moves;
}

struct Spread {
  double variance = 0.0;
  // (sum of squares)^2 / sum of fourth powers, times 3: of moves that are normal about their
  // number, and few where few of them are large.
  double num_moving = 0.0;
};

Spread spread_of(const std::vector<double>& moves) {
  double squares = 0.0;
  double fourths = 0.0;
  for (const double move : moves) {
    squares += move * move;
    fourths += move * move * move * move;
  }
  return {squares, fourths > 0.0 ? 3.0 * squares * squares / fourths : 0.0};
}

// The score interval of a rate >= 0 whose variance grows as the rate does: Wilson's without its
// upper end. `n`: rate / variance, or the number of clusters for a rate of 0.
Interval rate_interval(double rate, double n, double t) {
  const double centre = rate + t * t / (2.0 * n);
  const double half = t * std::sqrt(rate / n + t * t / (4.0 * n * n));
  return {rate == 0.0 ? 0.0 : std::max(0.0, centre - half), centre + half, "jackknife-rate"};
}

// The ends have a t each: see largest_of.
struct Quantiles {
  double low;
  double high;
};

Interval interval_around(
    double value, double variance, double num_clusters, StatisticRange range, const Quantiles& t) {
  if (range == StatisticRange::kShare) {
    const double item_variance = value * (1.0 - value);
    const bool is_flat = !(variance > 0.0) || !(item_variance > 0.0);
    const double n = is_flat ? num_clusters : item_variance / variance;
    return {wilson_of_share(value, n, t.low, "").low,
            wilson_of_share(value, n, t.high, "").high,
            "jackknife-wilson"};
  }
  if (range == StatisticRange::kAtMostOne) {
    const double rate = std::max(0.0, 1.0 - value);
    const double n = rate > 0.0 && variance > 0.0 ? rate / variance : num_clusters;
    const Interval low = rate_interval(rate, n, t.low);
    const Interval high = rate_interval(rate, n, t.high);
    return {1.0 - low.high, 1.0 - high.low, low.method};
  }
  double below = t.low * std::sqrt(variance);
  double above = t.high * std::sqrt(variance);
  if (range == StatisticRange::kDifference && variance == 0.0) {
    // What Wilson's interval leaves open of a share of which no cluster has any.
    below = (1.0 + std::abs(value)) * t.low * t.low / (num_clusters + t.low * t.low);
    above = (1.0 + std::abs(value)) * t.high * t.high / (num_clusters + t.high * t.high);
  }
  Interval interval{value - below, value + above, "jackknife-t"};
  if (range == StatisticRange::kAtLeastZero) interval.low = std::max(0.0, interval.low);
  if (range == StatisticRange::kDifference) {
    interval.low = std::max(-1.0, interval.low);
    interval.high = std::min(1.0, interval.high);
  }
  return interval;
}

MeanInterval none(const char* reason) {
  return {std::nullopt, reason};
}

}  // namespace

MeanInterval jackknife_interval(const ClusterStatistic& statistic,
                                const BootstrapOptions& options) {
  SNELLEN_CHECK(statistic.largest_of > 0 && statistic.smallest_of > 0);
  const double tail = lower_tail(options.confidence);
  const size_t num_clusters = checked_size(statistic.sizes.size());
  const size_t num_groups = std::min(num_clusters, kMostGroups);
  std::vector<WeightedSum> groups(num_groups);
  size_t num_used = 0;
  for (size_t i = 0; i < num_clusters; ++i) {
    groups[i % num_groups].weight += statistic.sizes[i];
    if (statistic.sizes[i] > 0.0) ++num_used;
  }
  if (num_used < kFewestClusters) return none("too few clusters for an interval");
  const MeanEstimate sizes = estimate_mean(groups);
  if (sizes.is_one_in_all) return none("one cluster is in every item");
  std::vector<uint32_t> all(num_clusters);
  std::iota(all.begin(), all.end(), 0U);
  const double value = statistic.of(all);
  if (!std::isfinite(value)) return none("the value is undefined");
  const std::vector<double> moves = moves_of(statistic, value, num_groups, options.num_threads);
  if (!std::all_of(moves.begin(), moves.end(), [](double move) { return std::isfinite(move); }))
    return none("the value is undefined without one of the clusters");
  const Spread spread = spread_of(moves);
  const bool needs_spread =
      statistic.range == StatisticRange::kAny || statistic.range == StatisticRange::kAtLeastZero;
  if (spread.variance == 0.0 && needs_spread) return none("no cluster changes the value");
  double freedom = sizes.degrees_of_freedom;
  if (spread.variance > 0.0) freedom = std::max(1.0, std::min(freedom, spread.num_moving));
  const Quantiles t{
      student_upper_quantile(tail / static_cast<double>(statistic.largest_of), freedom),
      student_upper_quantile(tail / static_cast<double>(statistic.smallest_of), freedom)};
  return {
      interval_around(value, spread.variance, static_cast<double>(num_used), statistic.range, t),
      ""};
}

MeanInterval statistic_interval(const ClusterStatistic& statistic,
                                const BootstrapOptions& options) {
  if (options.replicates == 0) return jackknife_interval(statistic, options);
  std::optional<Interval> interval =
      cluster_bootstrap(statistic.sizes.size(), statistic.of, options);
  if (!interval) return none("the value is undefined in every resample");
  return {std::move(interval), ""};
}

}  // namespace snellen::stats
