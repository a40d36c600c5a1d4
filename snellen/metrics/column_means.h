// SPDX-License-Identifier: Apache-2.0
// The means of the columns of a group of items (a part, a category, a tag), each with its count,
// ties and interval.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/metrics/metric.h"
#include "snellen/stats/bootstrap.h"
#include "snellen/stats/cluster_sums.h"
#include "snellen/stats/moments.h"
#include "snellen/stats/sum.h"

namespace snellen::metrics {

struct MeanOptions {
  double confidence = 0.95;
  uint64_t bootstrap = 0;  // replicates asked for; 0: the usual number
  uint64_t seed = 0;
  unsigned num_threads = 1;
};

// Shares get Wilson intervals, means normal ones; with `resamples` clusters are drawn instead.
// Undefined values (NaN) are left out; where none is left the mean is undefined, with its reason.
// Items are fed in order of position, which is part of the result. One thread at a time.
class ColumnMeans {
 public:
  // Ids begin with `id_start`. Only the columns that `places` names, in its order.
  ColumnMeans(std::string id_start,
              std::span<const MetricColumn> columns,
              std::vector<size_t> places,
              bool resamples);

  // `values` has all columns; bit i of `ties`: column i was decided by the tie rule.
  void add(std::string_view cluster, std::span<const double> values, uint64_t ties);
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
  Measurement measure_column(size_t i,
                             const MeanOptions& options,
                             const std::optional<stats::Interval>& resampled) const;

  std::string id_start_;
  std::vector<MetricColumn> columns_;
  std::vector<size_t> places_;
  std::vector<Running> running_;
  std::optional<stats::ClusterBootstrap> clusters_;
};

}  // namespace snellen::metrics
