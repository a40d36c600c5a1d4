// SPDX-License-Identifier: Apache-2.0
// Lines over an axis, as SVG: small panels side by side, readable in light and in dark, without any
// script. All texts are escaped; the same charts give the same bytes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace snellen::report {

struct ChartPoint {
  double x = 0;
  double y = 0;  // a point that is not finite is left out, and the line has a gap there
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
};

struct ChartLine {
  std::string name;
  std::vector<ChartPoint> points;  // by x
  bool is_thin = false;            // pale, without dots or a label: what a thicker line summarises
};

struct LineChart {
  std::string title;
  std::string subtitle = {};
  std::string x_title = {};
  std::vector<ChartLine> lines = {};
  bool is_share = false;  // y is a fraction, shown in percent, and the axis stays within 0 and 1
  // A dashed line across, such as chance; and one upright, such as what was chosen.
  std::optional<double> level = std::nullopt;
  std::string level_name = {};
  std::optional<double> mark = std::nullopt;
  std::string mark_name = {};
};

// A whole SVG file with the charts in rows of `columns`.
std::string charts_as_svg(std::span<const LineChart> charts, size_t columns);

}  // namespace snellen::report
