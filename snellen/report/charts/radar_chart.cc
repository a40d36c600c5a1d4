// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/charts/radar_chart.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "snellen/report/charts/chart_style.h"
#include "snellen/report/xml_text.h"

namespace snellen::report {
namespace {

constexpr double kWidth = 640, kCentreX = 320, kCentreY = 236, kRadius = 150;

struct Place {
  double x = 0, y = 0;
};

// The first axis points up, the others follow clockwise.
Place place_on(size_t axis, size_t num_axes, double value) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(axis) /
                       static_cast<double>(std::max<size_t>(num_axes, 1));
  return {kCentreX + kRadius * value * std::sin(angle),
          kCentreY - kRadius * value * std::cos(angle)};
}

void draw_grid(const RadarChart& chart, std::string& out) {
  const size_t num_axes = chart.axes.size();
  for (const double ring : {0.25, 0.5, 0.75, 1.0}) {
    std::string points;
    for (size_t i = 0; i < num_axes; ++i) {
      const Place at = place_on(i, num_axes, ring);
      points += fmt::format("{:.1f},{:.1f} ", at.x, at.y);
    }
    out += fmt::format("<polygon class=\"g\" points=\"{}\"/>", points);
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{:.0f} %</text>\n",
                       kCentreX + 3,
                       kCentreY - kRadius * ring + 10,
                       100 * ring);
  }
  for (size_t i = 0; i < num_axes; ++i) {
    const Place end = place_on(i, num_axes, 1), label = place_on(i, num_axes, 1.1);
    out += fmt::format(
        "<path class=\"g\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", kCentreX, kCentreY, end.x, end.y);
    const char* anchor = label.x > kCentreX + 4   ? "start"
                         : label.x < kCentreX - 4 ? "end"
                                                  : "middle";
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                       label.x,
                       label.y + 3,
                       anchor,
                       xml_text(chart.axes[i]));
  }
}

// An axis without a value breaks the polygon; its other points stay.
void draw_series(const RadarChart& chart, size_t number, std::string& out) {
  const BarSeries& series = chart.series[number];
  const size_t colour = number % kChartColours;
  std::string points, dots, whiskers;
  bool is_whole = series.bars.size() == chart.axes.size();
  for (size_t i = 0; i < std::min(series.bars.size(), chart.axes.size()); ++i) {
    const Bar& bar = series.bars[i];
    if (!std::isfinite(bar.value)) {
      is_whole = false;
      continue;
    }
    auto on_axis = [&](double value) {
      return place_on(i, chart.axes.size(), std::clamp(value, 0.0, 1.0));
    };
    const Place at = on_axis(bar.value);
    points += fmt::format("{:.1f},{:.1f} ", at.x, at.y);
    const std::string interval =
        bar.low && bar.high ? fmt::format(" ({:.1f} to {:.1f})", 100 * *bar.low, 100 * *bar.high)
                            : "";
    dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{}</title></circle>",
                        at.x,
                        at.y,
                        xml_text(fmt::format("{}, {}: {:.1f} %{}, n {}",
                                             series.name,
                                             chart.axes[i],
                                             100 * bar.value,
                                             interval,
                                             bar.n)));
    if (bar.low && bar.high) {
      const Place low = on_axis(*bar.low), high = on_axis(*bar.high);
      whiskers += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", low.x, low.y, high.x, high.y);
    }
  }
  if (is_whole)
    out += fmt::format(
        "<polygon class=\"b f{0}\" points=\"{1}\"/><polygon class=\"l s{0}\" "
        "points=\"{1}\"/>\n",
        colour,
        points);
  if (!whiskers.empty()) out += fmt::format("<path class=\"n s{}\" d=\"{}\"/>", colour, whiskers);
  out += fmt::format("<g class=\"f{}\">{}</g>\n", colour, dots);
}

}  // namespace

std::string radar_as_svg(const RadarChart& chart) {
  const double height = 430 + 16 * static_cast<double>(chart.series.size());
  std::string out = svg_begin(kWidth, height, chart.title);
  out += fmt::format("<text class=\"t\" x=\"14\" y=\"20\">{}</text>\n", xml_text(chart.title));
  out += fmt::format("<text x=\"14\" y=\"36\">{}</text>\n", xml_text(chart.subtitle));
  draw_grid(chart, out);
  for (size_t i = 0; i < chart.series.size(); ++i) draw_series(chart, i, out);
  for (size_t i = 0; i < chart.series.size(); ++i) {
    const double y = 428 + 16 * static_cast<double>(i);
    out += fmt::format(
        "<rect class=\"f{}\" x=\"14\" y=\"{:.0f}\" width=\"10\" height=\"10\"/><text x=\"29\" "
        "y=\"{:.0f}\">{}</text>\n",
        i % kChartColours,
        y - 9,
        y,
        xml_text(chart.series[i].name));
  }
  return out + "</svg>\n";
}

}  // namespace snellen::report
