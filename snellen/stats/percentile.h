// SPDX-License-Identifier: Apache-2.0
// What all percentile bootstraps share.
#pragma once

#include <optional>
#include <vector>

#include "snellen/stats/bootstrap.h"

namespace snellen::stats {

// Throws kUsage for options out of range, kInternal for more items than a draw can name.
void check(const BootstrapOptions& options);
uint32_t checked_size(size_t n);

// The percentiles of the replicates that are defined; nothing when none is.
std::optional<Interval> percentile_interval(std::vector<double> replicates,
                                            const BootstrapOptions& options,
                                            const char* method);

}  // namespace snellen::stats
