// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/stats/bootstrap.h"

namespace snellen::metrics {

struct FoilIntervals {
  std::optional<stats::Interval> p_c;
  std::optional<stats::Interval> p_f;
  std::optional<stats::Interval> min;  // of the smaller of p_c and p_f
  std::optional<stats::Interval> acc;
  std::optional<stats::Interval> auroc;
};

// Intervals of what foil_probability() says about the same rows (one item's scores each, the
// caption's first, all in [0, 1]), by clips, of which `clips[i]` is that of row i: the rules of
// docs/stats/intervals.md for other statistics than means. With replicates all five see the same
// draws, and resamples in which a metric is undefined are skipped.
FoilIntervals foil_intervals(std::span<const std::vector<double>> rows,
                             std::span<const std::string> clips,
                             const stats::BootstrapOptions& options);

}  // namespace snellen::metrics
