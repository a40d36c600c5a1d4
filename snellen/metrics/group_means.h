// SPDX-License-Identifier: Apache-2.0
// The means of the columns of a group of items (a part, a category, a tag, a condition), each with
// its count, ties and interval. What is made from several means: mean_statistics.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/metrics/metric.h"
#include "snellen/stats/cluster_sums.h"
#include "snellen/stats/moments.h"
#include "snellen/stats/sum.h"

namespace snellen::metrics {

// How intervals are made.
struct MeanOptions {
  double confidence = 0.95;
  uint64_t bootstrap = 0;  // replicates of the specs' bootstrap; 0: intervals by formula
  uint64_t seed = 0;
  unsigned num_threads = 1;
};

// `options` as the intervals of snellen/stats take them: without replicates they are by formula.
stats::BootstrapOptions bootstrap_options(const MeanOptions& options);

// Puts an interval into a measurement, or the reason why a defined value has none.
void set_interval(Measurement& one,
                  const std::optional<stats::Interval>& interval,
                  const std::string& reason = "too few clusters for an interval");

// Whether clusters are kept: not where items are known to share none and no bootstrap is asked for.
enum class Resampling { kNever, kSharedClusters };

// Independent items: shares get Wilson intervals, means normal ones. Items that share clusters: the
// intervals of docs/stats/intervals.md, or the percentile bootstrap where one is asked for.
// Undefined values (NaN) are left out; where none is left the mean is undefined, with its reason.
// Items are fed in order of position, which is part of the result. One thread at a time.
class GroupMeans {
 public:
  // Ids begin with `id_start`. Only the columns that `places` names, in its order.
  GroupMeans(std::string id_start,
             std::span<const MetricColumn> columns,
             std::vector<size_t> places,
             Resampling resampling);
  // All columns.
  GroupMeans(std::string id_start,
             std::span<const MetricColumn> columns,
             Resampling resampling = Resampling::kSharedClusters);

  // `clusters` is what the item shares with others, one name or two. `values` has all columns; bit
  // i of `ties`: column i was decided by the tie rule.
  void add(std::span<const std::string> clusters,
           std::span<const double> values,
           uint64_t ties = 0);

  uint64_t num_items() const { return num_items_; }
  uint64_t count(size_t column) const { return running_[column].moments.count(); }
  // NaN where no item has one.
  double mean(size_t column) const;

  // One measurement per column.
  void measure(const MeanOptions& options, std::vector<Measurement>& all) const;

 private:
  // What one column came to so far.
  struct Running {
    stats::Sum sum = {};
    stats::Moments moments = {};
    uint64_t successes = 0;
    uint64_t ties = 0;
    uint64_t undefined = 0;

    void add(double value, bool is_tied);
  };
  bool takes_clusters(const MeanOptions& options) const;
  Measurement measure_column(size_t i) const;

  std::string id_start_;
  std::vector<MetricColumn> columns_;
  std::vector<size_t> places_;
  Resampling resampling_;
  std::vector<Running> running_;
  uint64_t num_items_ = 0;
  std::optional<stats::ClusterSums> clusters_;  // none with kNever
};

}  // namespace snellen::metrics
