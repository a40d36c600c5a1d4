// SPDX-License-Identifier: Apache-2.0
// How sure a mean is when items are not independent: items that show the same picture or clip move
// together. Everything here is computed from sums over clusters, in linear time. The choices are
// justified by tools/simulate_intervals.cc, whose table stands in docs/stats/coverage.md.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "snellen/stats/interval.h"

namespace snellen::stats {

// What a group of items comes to: the sum of weight * value and the weight. An item has weight 1.
struct WeightedSum {
  double sum = 0.0;
  double weight = 0.0;
};

// The clusters that a unit of items shares: one, or two (the second is kNoCluster for one). Items
// that show the same two pictures, in either order, are one unit.
inline constexpr uint32_t kNoCluster = std::numeric_limits<uint32_t>::max();
using UnitClusters = std::array<uint32_t, 2>;

inline constexpr uint64_t kFewestClusters = 5;  // below, there is no interval

// A mean and its variance. Undefined figures are NaN.
struct MeanEstimate {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double weight = 0.0;
  double variance = std::numeric_limits<double>::quiet_NaN();  // of the mean
  double degrees_of_freedom = 0.0;
  uint64_t num_clusters = 0;   // with weight
  bool is_two_way = false;     // some unit has two clusters
  bool is_one_in_all = false;  // one cluster is in every item: nothing to compare it with
};

// Cluster-robust (CR3, the jackknife over clusters), with the degrees of freedom of Bell and
// McCaffrey (2002): one sum per cluster. Clusters without weight are left out.
MeanEstimate estimate_mean(std::span<const WeightedSum> clusters);

// Dyadic-robust (Aronow, Samii and Assenova 2015): over all pairs of items that share any cluster,
// by inclusion and exclusion, each cluster's sum scaled as if it were left out; at least the
// variances over first clusters, second clusters and units alone. One sum and one set of clusters
// per unit; clusters are numbered below num_clusters.
MeanEstimate estimate_mean(std::span<const WeightedSum> units,
                           std::span<const UnitClusters> clusters,
                           size_t num_clusters);

// What the values are, which decides the interval's form.
enum class ValueKind {
  kMean,        // any number: mean +- t * standard error
  kShare,       // 0 or 1: Wilson's form with the effective number of items and t in place of z
  kDifference,  // -1, 0 or 1, of two shares: as a mean, cut to [-1, 1]
};

// Why there is no interval stands in `reason`, which is empty otherwise.
struct MeanInterval {
  std::optional<Interval> interval;
  std::string reason;
};

// Methods "cluster-t", "cluster-wilson", "dyadic-t", "dyadic-wilson"; for shares whose clusters do
// not differ "wilson-clusters": Wilson's with n = clusters. None below 5 clusters, where one
// cluster is in every item, and for means (no shares) whose clusters do not differ. Never of zero
// width.
MeanInterval interval_of(const MeanEstimate& estimate, ValueKind kind, double confidence);

// Two-sided p of the mean being 0: the t test that belongs to the interval. Nothing where there is
// no interval; 1 when the mean is 0, and the clusters' own number decides where they do not differ.
std::optional<double> mean_test_p(const MeanEstimate& estimate);

// How many independent items would tell as much: weight * variance under independence / variance,
// at most the weight. `item_variance` is the variance of one item's value. Without a variance the
// number of clusters.
double effective_n(const MeanEstimate& estimate, double item_variance);

}  // namespace snellen::stats
