// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "snellen/report/compare.h"

namespace snellen::report {

// Do two of these items share a cluster?
bool has_shared_clusters(std::span<const uint32_t> clusters);

// The intervals of the mean difference of each column: over items, or over clusters where items
// share them; all columns with the same draws. `differences` is [items, num_columns], NaN: left
// out.
std::vector<std::optional<stats::Interval>> difference_intervals(
    std::span<const double> differences,
    std::span<const uint32_t> clusters,
    size_t num_columns,
    const CompareOptions& options);

// Values, test and detectable effect of column `place`; the caller adds id, kind, interval and
// adjusted p.
ComparedRow compared_row(const PairedColumn& column,
                         std::span<const double> differences,
                         std::span<const uint32_t> clusters,
                         size_t num_columns,
                         size_t place,
                         const CompareOptions& options);

// Sets p_holm of all rows of a kind that have a p; returns how many these are.
size_t adjust_family(std::vector<ComparedRow>& rows, RowKind kind);

}  // namespace snellen::report
