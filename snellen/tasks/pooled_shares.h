// SPDX-License-Identifier: Apache-2.0
// Shares pooled over items that may share a picture, and intervals of what is made from several of
// them (differences, unweighted means).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/stats/bootstrap.h"
#include "snellen/stats/cluster_sums.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks {

constexpr uint64_t kPooledReplicates = 2000;

// `options` as the bootstraps of stats take them.
stats::BootstrapOptions bootstrap_options(const PooledOptions& options);

// Puts an interval, if there is one, into a measurement.
void set_interval(metrics::Measurement& one, const std::optional<stats::Interval>& interval);

// The columns of a group of items as shares: Wilson, or clusters resampled where items share one
// or a bootstrap is asked for. NaN values are left out. One thread at a time.
class ShareBlock {
 public:
  explicit ShareBlock(size_t num_columns);
  // Uses the first values, as many as there are columns.
  void add(const std::string& cluster, const std::vector<double>& values);
  // One measurement per column, named id_start + the column's name.
  std::vector<metrics::Measurement> measure(const std::string& id_start,
                                            std::span<const Column> columns,
                                            const PooledOptions& options) const;

 private:
  struct Count {
    uint64_t n = 0;
    uint64_t successes = 0;
    uint64_t undefined = 0;
  };
  std::vector<Count> counts_;
  stats::ClusterBootstrap clusters_;
  uint64_t num_items_ = 0;
};

// Sums of several columns by cluster, for statistics of the pooled shares. Clusters that hold the
// same are drawn together, so a resample costs one draw a cluster and no more. One thread at a time
// while it is filled.
class PooledShares {
 public:
  explicit PooledShares(size_t num_columns) : num_columns_(num_columns) {}

  void add(const std::string& cluster, size_t column, double value);

  // The pooled share of every column; NaN where nothing was added. A statistic that is NaN is
  // undefined.
  using Statistic = std::function<double(std::span<const double> shares)>;
  std::optional<stats::Interval> interval(const Statistic& statistic,
                                          const PooledOptions& options) const;

 private:
  struct Part {
    uint32_t column;
    double sum;
    double weight;
    bool operator==(const Part&) const = default;
  };
  using Row = std::vector<Part>;  // by column
  size_t num_columns_;
  std::vector<Row> rows_;  // clusters in order of first appearance
  std::unordered_map<std::string, size_t> numbers_;
  bool has_shared_ = false;
};

}  // namespace snellen::tasks
