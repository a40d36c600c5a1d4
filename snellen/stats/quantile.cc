// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/quantile.h"

#include <limits>

#include "snellen/base/error.h"

namespace snellen::stats {

double quantile(std::span<const double> sorted, double q) {
  SNELLEN_CHECK(q >= 0.0 && q <= 1.0);
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  double h = static_cast<double>(sorted.size() - 1) * q;
  size_t below = static_cast<size_t>(h);
  double part = h - static_cast<double>(below);
  // Nothing is added at part 0, so that an infinite neighbour cannot turn the value into NaN.
  if (part == 0.0 || sorted[below] == sorted[below + 1]) return sorted[below];
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

}  // namespace snellen::stats
