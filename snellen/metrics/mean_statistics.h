// SPDX-License-Identifier: Apache-2.0
// Intervals of what is made from several means of the same items: differences of subsets, means of
// categories, gains.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "snellen/metrics/group_means.h"
#include "snellen/stats/cluster_sums.h"
#include "snellen/stats/jackknife.h"
#include "snellen/stats/sum.h"

namespace snellen::metrics {

// Items are fed in order of position, which is part of the result. One thread at a time.
class MeanStatistics {
 public:
  explicit MeanStatistics(size_t num_columns);

  // `clusters` is what the item shares with others, one name or two. `values` has all columns; what
  // is not finite is left out.
  void add(std::span<const std::string> clusters, std::span<const double> values);

  uint64_t count(size_t column) const { return counts_[column]; }
  // NaN where no item has one.
  double mean(size_t column) const;

  struct Statistic {
    // Made from the means of all columns over some of the clusters, NaN where none has one; a
    // statistic that is NaN is undefined.
    std::function<double(std::span<const double> means)> of;
    stats::StatisticRange range = stats::StatisticRange::kAny;
    // The columns whose items it rests on; all where there are none.
    std::vector<size_t> columns = {};
    // It rests on the items of which column 0 is 0 instead, 0 or 1 in each.
    bool rests_on_lacking = false;
  };
  // By the rules of docs/stats/intervals.md for other statistics than means. The method of a
  // bootstrap is "bootstrap" where no item shares a cluster.
  stats::MeanInterval interval(const Statistic& statistic, const MeanOptions& options) const;

 private:
  stats::ClusterSums clusters_;
  std::vector<stats::Sum> sums_;
  std::vector<uint64_t> counts_;
};

}  // namespace snellen::metrics
