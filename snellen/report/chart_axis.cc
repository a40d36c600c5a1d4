// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/chart_axis.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace snellen::report {

void Range::take(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

Axis axis_of(Range range, size_t num_ticks, bool is_round) {
  if (range.is_empty()) range = {0, 1};
  if (range.low == range.high) {
    const double around = range.low == 0 ? 0.5 : std::abs(range.low) * 0.05;
    range = {range.low - around, range.high + around};
  }
  Axis axis;
  axis.ticks = round_ticks(range.low, range.high, num_ticks);
  axis.low = is_round ? axis.ticks.front() : range.low;
  axis.high = is_round ? axis.ticks.back() : range.high;
  std::erase_if(axis.ticks, [&](double tick) { return tick < axis.low || tick > axis.high; });
  return axis;
}

std::vector<double> round_ticks(double low, double high, size_t count) {
  const double raw = (high - low) / static_cast<double>(std::max<size_t>(count, 2) - 1);
  const double power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= raw * (1 - 1e-9)) {
      step = factor * power;
      break;
    }
  }
  const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
  std::vector<double> ticks;
  for (double i = first; i <= last; ++i) ticks.push_back(i * step);
  return ticks;
}

std::string tick_text(double value) {
  if (value == 0 || std::abs(value) < 1e-12) return "0";
  const double size = std::abs(value);
  if (size >= 1e7 || size < 1e-3) return fmt::format("{:.3g}", value);
  if (size < 1000) return fmt::format("{:.5g}", value);
  std::string digits = fmt::format("{:.0f}", value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

}  // namespace snellen::report
