// SPDX-License-Identifier: Apache-2.0
// The same items scored twice: how far the means of their columns are apart, how sure that is, and
// whether chance would do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/metrics/group_means.h"
#include "snellen/metrics/metric.h"
#include "snellen/stats/cluster_sums.h"
#include "snellen/stats/sum.h"

namespace snellen::metrics {

struct PairedDifference {
  uint64_t n = 0;    // items with a value both times
  double value = 0;  // mean of first - second; NaN without items
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  std::string interval = {};  // its method
  std::string reason = {};    // why there is none
  std::optional<double> p = std::nullopt;
  std::string p_method = {};
  std::optional<double> agreement = std::nullopt;  // share of items with the same value
};

// Items are fed in order of position, which is part of the result. Memory grows with what items
// share (pictures, clips), not with the items. One thread at a time.
class PairedDifferences {
 public:
  explicit PairedDifferences(std::span<const MetricColumn> columns);

  // `clusters` as GroupMeans takes them.
  void add(std::span<const std::string> clusters,
           std::span<const double> first,
           std::span<const double> second);

  // Intervals of docs/stats/intervals.md for differences. McNemar's test for shares of independent
  // items, sign flips where items share a picture, the t test of the interval where they share two.
  // Sign flips are drawn until they can tell `smallest_p`.
  PairedDifference of(size_t column, double smallest_p, const MeanOptions& options) const;

 private:
  struct Running {
    stats::Sum sum = {};
    uint64_t n = 0;
    uint64_t num_same = 0;
    uint64_t only_first = 0;  // of shares
    uint64_t only_second = 0;
  };
  void test(PairedDifference& one,
            size_t column,
            const stats::MeanEstimate& estimate,
            double smallest_p,
            const MeanOptions& options) const;

  std::vector<bool> is_share_;
  std::vector<Running> running_;
  stats::ClusterSums sums_;
  uint64_t num_items_ = 0;
};

}  // namespace snellen::metrics
