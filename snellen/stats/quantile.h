// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace snellen::stats {

// The q-quantile of ascending values by linear interpolation at h = (n - 1) q ("type 7", numpy's
// default); NaN when there are none. The median of an even count is the mean of the middle two.
// Needs 0 <= q <= 1.
double quantile(std::span<const double> sorted, double q);

}  // namespace snellen::stats
