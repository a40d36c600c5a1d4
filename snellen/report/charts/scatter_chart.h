// SPDX-License-Identifier: Apache-2.0
// Points of several kinds in a plane without units, as SVG.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace snellen::report {

struct ScatterPoint {
  double x = 0;
  double y = 0;
  size_t kind = 0;
};

struct ScatterChart {
  std::string title;
  std::string subtitle = {};
  std::vector<std::string> kinds = {};
  std::vector<ScatterPoint> points = {};
};

// A whole SVG file with the charts side by side, under one legend.
std::string scatter_as_svg(std::span<const ScatterChart> charts);

}  // namespace snellen::report
