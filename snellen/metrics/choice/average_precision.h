// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace snellen::metrics {

// Sum over distinct thresholds, descending, of (Rec_n - Rec_{n-1}) * Prec_n: tied scores enter
// together, as scikit-learn's average_precision_score does. NaN when nothing is positive.
// (docs/spec/probe.md 3.4)
double average_precision(std::span<const uint8_t> is_positive, std::span<const double> scores);

// The reference's: higher index first among ties, divided by (positives + 1e-8), 0 when nothing is
// positive.
double average_precision_compat(std::span<const uint8_t> is_positive,
                                std::span<const double> scores);

}  // namespace snellen::metrics
