// SPDX-License-Identifier: Apache-2.0
// The specs' percentile bootstrap: over items, and over clusters of items that share an image or
// clip (cluster_sums.h for means and other ratios of sums). Draws as in snellen/stats/resample.h
// and quantiles of type 7, so the same options give the same bits on any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

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

// Interval of any statistic of n resampled items; `indices` holds n numbers below n. `statistic` is
// called from several threads at once when options ask for them.
using Statistic = std::function<double(std::span<const uint32_t> indices)>;
std::optional<Interval> bootstrap(size_t n,
                                  const Statistic& statistic,
                                  const BootstrapOptions& options);

// For statistics that are no ratio of sums: `statistic` gets the resampled cluster numbers, `n`
// clusters in all.
std::optional<Interval> cluster_bootstrap(size_t n,
                                          const Statistic& statistic,
                                          const BootstrapOptions& options);

}  // namespace snellen::stats
