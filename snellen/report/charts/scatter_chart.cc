// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/charts/scatter_chart.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/report/chart_axis.h"
#include "snellen/report/charts/chart_style.h"
#include "snellen/report/xml_text.h"

namespace snellen::report {
namespace {

constexpr double kSide = 300, kGap = 16, kTop = 66;
constexpr size_t kColumns = 3;

// The same scale on both axes: distances are what is shown.
void draw_points(const ScatterChart& chart, double left, double top, std::string& out) {
  Range x, y;
  for (const ScatterPoint& point : chart.points) {
    x.take(point.x);
    y.take(point.y);
  }
  if (x.is_empty() || y.is_empty()) return;
  const double span = std::max({x.high - x.low, y.high - y.low, 1e-9});
  const double scale = (kSide - 24) / span;
  const double middle_x = (x.low + x.high) / 2, middle_y = (y.low + y.high) / 2;
  for (size_t kind = 0; kind < chart.kinds.size(); ++kind) {
    out += fmt::format("<g class=\"f{}\" opacity=\".7\">", kind % kChartColours);
    for (const ScatterPoint& point : chart.points) {
      if (point.kind != kind || !std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\"/>",
                         left + kSide / 2 + (point.x - middle_x) * scale,
                         top + kSide / 2 - (point.y - middle_y) * scale);
    }
    out += "</g>\n";
  }
}

}  // namespace

std::string scatter_as_svg(std::span<const ScatterChart> charts) {
  const size_t columns = std::clamp<size_t>(charts.size(), 1, kColumns);
  const size_t rows = (charts.size() + columns - 1) / columns;
  const double width = kGap + static_cast<double>(columns) * (kSide + kGap);
  const double height = 30 + static_cast<double>(std::max<size_t>(rows, 1)) * (kSide + kTop);
  std::string titles;
  for (const ScatterChart& chart : charts) titles += (titles.empty() ? "" : ", ") + chart.title;
  std::string out = svg_begin(width, height, titles);
  if (!charts.empty()) {
    double x = kGap;
    for (size_t i = 0; i < charts.front().kinds.size(); ++i) {
      out += fmt::format(
          "<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"16\" r=\"5\"/><text x=\"{:.1f}\" "
          "y=\"20\">{}</text>\n",
          i % kChartColours,
          x + 5,
          x + 15,
          xml_text(charts.front().kinds[i]));
      x += 30 + 5.7 * static_cast<double>(charts.front().kinds[i].size());
    }
  }
  for (size_t i = 0; i < charts.size(); ++i) {
    const double left = kGap + static_cast<double>(i % columns) * (kSide + kGap);
    const double top = 30 + static_cast<double>(i / columns) * (kSide + kTop);
    out += fmt::format("<text class=\"t\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                       left,
                       top + 20,
                       xml_text(charts[i].title));
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                       left,
                       top + 36,
                       xml_text(charts[i].subtitle));
    out += fmt::format(
        "<rect class=\"g\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n",
        left,
        top + 44,
        kSide,
        kSide);
    draw_points(charts[i], left, top + 44, out);
  }
  return out + "</svg>\n";
}

}  // namespace snellen::report
