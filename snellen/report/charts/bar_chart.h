// SPDX-License-Identifier: Apache-2.0
// Groups of bars with their intervals, as SVG: readable in light and in dark, without any script.
// All texts are escaped; the same charts give the same bytes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snellen::report {

struct Bar {
  double value = 0;  // a bar that is not finite is left out
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  std::optional<double> chance = std::nullopt;  // a dashed line across the bar
  uint64_t n = 0;
};

struct BarSeries {
  std::string name;
  std::vector<Bar> bars;  // one per group
};

struct BarChart {
  std::string title;
  std::string subtitle = {};
  std::vector<std::string> groups = {};
  std::vector<BarSeries> series = {};
  bool is_share = true;  // shown in percent
};

// A whole SVG file with the charts below each other, under one legend.
std::string bars_as_svg(std::span<const BarChart> charts);

}  // namespace snellen::report
