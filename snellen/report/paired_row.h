// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "snellen/report/compare.h"
#include "snellen/stats/cluster_sums.h"
#include "snellen/stats/moments.h"

namespace snellen::report {

// The differences of some columns, summed over what the items share.
struct PairedSums {
  stats::ClusterSums sums;
  std::vector<stats::Moments> moments = {};  // of the items' differences, by column
  bool is_shared = false;                    // do items share a cluster?
  // The percentile bootstrap, where it is asked for.
  std::vector<std::optional<stats::Interval>> bootstrap = {};
};

// `differences` is [items, num_columns], NaN: left out.
PairedSums sums_of(std::span<const double> differences,
                   std::span<const stats::UnitClusters> clusters,
                   size_t num_columns,
                   const CompareOptions& options);

// Values, interval, test and detectable effect of column `place`; the caller adds id, kind and
// adjusted p. Sign flips are drawn until their floor is below `smallest_p`.
ComparedRow compared_row(const PairedColumn& column,
                         const PairedSums& sums,
                         size_t place,
                         double smallest_p,
                         const CompareOptions& options);

// Sets p_holm of all rows of a kind that have a p; returns how many these are.
size_t adjust_family(std::vector<ComparedRow>& rows, RowKind kind);

}  // namespace snellen::report
