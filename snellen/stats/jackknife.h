// SPDX-License-Identifier: Apache-2.0
// How sure a statistic is that is no mean (a difference of subsets, a ratio, an area under a curve)
// when items share pictures or clips: by how far it moves when clusters are left out, one after the
// other. tools/simulate_statistics.cc measures what it is worth: docs/stats/coverage.md.
#pragma once

#include <cstdint>
#include <vector>

#include "snellen/stats/bootstrap.h"
#include "snellen/stats/cluster_mean.h"

namespace snellen::stats {

// What values a statistic can have, which decides the form of its interval.
enum class StatisticRange {
  kAny,          // value +- t * standard error
  kAtLeastZero,  // the same, cut at 0
  kDifference,   // -1 to 1: the same, cut to [-1, 1]
  kShare,        // 0 to 1: Wilson's form with the effective number of items and t in place of z
  kAtMostOne,    // a gain: the form for rates, of 1 - value
};

struct ClusterStatistic {
  Statistic of;  // gets the numbers of the clusters that are taken
  // How many items of each cluster the statistic rests on: none where it has nothing to say.
  std::vector<double> sizes;
  StatisticRange range = StatisticRange::kAny;
  // The statistic is the largest, or the smallest, of so many: chance makes the largest larger, so
  // that its lower end lies further down, as many comparisons ask for (Bonferroni).
  uint64_t largest_of = 1;
  uint64_t smallest_of = 1;
};

// The variance is the sum of squares of how far the statistic moves; t has the degrees of freedom
// of clusters of these sizes, or fewer where few clusters move it. Above 2000 clusters, groups of
// them are left out. Methods "jackknife-t", "jackknife-wilson" and "jackknife-rate". None below 5
// clusters with items, where one has them all, and where the statistic is undefined (NaN) as a
// whole or without one of the clusters; and of kAny and kAtLeastZero none where nothing moves it.
MeanInterval jackknife_interval(const ClusterStatistic& statistic, const BootstrapOptions& options);

// The interval by the rules of docs/stats/intervals.md: as above, or the percentile bootstrap where
// replicates are asked for (0: none).
MeanInterval statistic_interval(const ClusterStatistic& statistic, const BootstrapOptions& options);

}  // namespace snellen::stats
