// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/four_decimals.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace snellen::metrics {

double round_mean(double x) {
  return std::nearbyint(x * 10000.0) / 10000.0;
}

double round_probe_r_accuracy(double x) {
  if (!std::isfinite(x)) return x;
  std::string text = fmt::format("{:.4f}", x);
  double rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

}  // namespace snellen::metrics
