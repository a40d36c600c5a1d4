// SPDX-License-Identifier: Apache-2.0
// Percentile bootstrap: over items, and over clusters of items that share an image or clip. Draws
// as in snellen/stats/resample.h and quantiles of type 7, so the same options give the same bits on
// any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/distinct_ids.h"
#include "snellen/stats/interval.h"

namespace snellen::stats {

struct BootstrapOptions {
  uint64_t replicates = 2000;  // 1 to 10 million
  double confidence = 0.95;
  uint64_t seed = 0;
  unsigned num_threads = 1;
};

// All throw kUsage for options out of range. Replicates whose statistic is NaN (undefined) are
// skipped; there is no interval when there is no item or every replicate was skipped.

// Interval of the mean; nothing when a value is NaN.
std::optional<Interval> bootstrap_mean(std::span<const double> values,
                                       const BootstrapOptions& options);

// Interval of any statistic of n resampled items; `indices` holds n numbers below n. `statistic` is
// called from several threads at once when options ask for them.
using Statistic = std::function<double(std::span<const uint32_t> indices)>;
std::optional<Interval> bootstrap(size_t n,
                                  const Statistic& statistic,
                                  const BootstrapOptions& options);

// Clusters are resampled with replacement, all columns (metrics) with the same draws; the statistic
// of a column is its pooled sum / pooled weight. Clusters are numbered in order of first
// appearance, which is part of the result: feed items in item order. A cluster may be empty in some
// columns. One thread at a time while it is filled.
class ClusterBootstrap {
 public:
  explicit ClusterBootstrap(size_t num_columns);

  // A column's share of one cluster.
  struct Part {
    double sum = 0.0;
    double weight = 0.0;
  };

  // The number of the cluster with this name (an image or clip id), new at first sight.
  size_t cluster(std::string_view name);
  // Adds an item of `weight` with this value: weight * value to the sum. Needs a number from
  // cluster().
  void add(size_t cluster, size_t column, double value, double weight = 1.0);
  // A whole unnamed cluster at once, one part per column. Clusters have names or they have none.
  void add_cluster(std::span<const Part> parts);

  size_t num_clusters() const { return parts_.size() / num_columns_; }
  size_t num_columns() const { return num_columns_; }

  // One interval per column, method "cluster-bootstrap"; nothing for a column without weight or
  // with a NaN in it.
  std::vector<std::optional<Interval>> intervals(const BootstrapOptions& options) const;

 private:
  void pool(uint64_t seed, uint64_t replicate, std::span<Part> pooled) const;
  bool is_undefined(size_t column) const;

  size_t num_columns_;
  std::vector<Part> parts_;  // [clusters, columns]
  DistinctIds names_;        // numbered as the clusters are; none when clusters have no names
};

// For statistics that are no ratio of sums: `statistic` gets the resampled cluster numbers, `n`
// clusters in all.
std::optional<Interval> cluster_bootstrap(size_t n,
                                          const Statistic& statistic,
                                          const BootstrapOptions& options);

}  // namespace snellen::stats
