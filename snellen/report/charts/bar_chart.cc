// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/charts/bar_chart.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "snellen/report/chart_axis.h"
#include "snellen/report/charts/chart_style.h"
#include "snellen/report/table.h"
#include "snellen/report/xml_text.h"

namespace snellen::report {
namespace {

constexpr double kLeft = 52, kRight = 16, kTop = 40, kPlotHeight = 150, kMargin = 12;
constexpr double kLetter = 5.7;
constexpr double kLineHeight = 16;
constexpr double kMostWidth = 1000, kLeastWidth = 420;
constexpr double kMostBar = 26;

double width_of(const std::string& text) {
  return static_cast<double>(display_width(text)) * kLetter;
}

// One chart at a height of the sheet.
class BarPanel {
 public:
  BarPanel(const BarChart& chart, double top, double width, std::string& out)
      : chart_(chart), top_(top), width_(width), out_(out) {
    Range range;
    range.take(0);
    for (const BarSeries& series : chart.series) {
      for (const Bar& bar : series.bars) {
        if (!std::isfinite(bar.value)) continue;
        range.take(bar.value);
        range.take(bar.low.value_or(bar.value));
        range.take(bar.high.value_or(bar.value));
        range.take(bar.chance.value_or(0));
      }
    }
    if (chart.is_share && range.high > 0.5) range.take(1);
    y_ = axis_of(range, 5, /*is_round=*/true);
    y_.begin = kTop + kPlotHeight;
    y_.end = kTop;
  }

  static double label_height(const BarChart& chart, double width) {
    double longest = 0;
    for (const std::string& group : chart.groups) longest = std::max(longest, width_of(group));
    return is_turned(chart, width) ? std::min(longest * 0.62 + 22, 110.0) : 22;
  }

  void draw() {
    write("<g transform=\"translate(0 {:.0f})\">\n", top_);
    write("<text class=\"t\" x=\"14\" y=\"17\">{}</text>\n", xml_text(chart_.title));
    if (!chart_.subtitle.empty())
      write("<text x=\"14\" y=\"31\">{}</text>\n", xml_text(chart_.subtitle));
    draw_axis();
    for (size_t group = 0; group < chart_.groups.size(); ++group) draw_group(group);
    out_ += "</g>\n";
  }

 private:
  template <typename... Args>
  void write(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  static double group_width(const BarChart& chart, double width) {
    return (width - kLeft - kRight) / static_cast<double>(std::max<size_t>(chart.groups.size(), 1));
  }
  // Labels that do not fit beside each other are slanted.
  static bool is_turned(const BarChart& chart, double width) {
    return std::any_of(chart.groups.begin(), chart.groups.end(), [&](const std::string& group) {
      return width_of(group) > group_width(chart, width) - 4;
    });
  }

  std::string shown(double value) const {
    return chart_.is_share ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.4g}", value);
  }

  void draw_axis() {
    for (const double tick : y_.ticks) {
      const double y = y_.place(tick);
      write("<path class=\"{}\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>",
            tick == 0 ? 'w' : 'g',
            kLeft,
            y,
            width_ - kRight);
      write("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}{}</text>\n",
            kLeft - 6,
            y + 3.5,
            tick_text(chart_.is_share ? std::round(tick * 1e6) / 1e4 : tick),
            chart_.is_share ? " %" : "");
    }
  }

  void draw_group(size_t group) {
    const double step = group_width(chart_, width_);
    const double begin = kLeft + step * static_cast<double>(group);
    const double num_bars = static_cast<double>(std::max<size_t>(chart_.series.size(), 1));
    const double bar_width = std::clamp(step * 0.78 / num_bars, 1.0, kMostBar);
    const double first = begin + (step - bar_width * num_bars) / 2;
    for (size_t i = 0; i < chart_.series.size(); ++i) {
      const BarSeries& series = chart_.series[i];
      if (group < series.bars.size() && std::isfinite(series.bars[group].value))
        draw_bar(series.bars[group],
                 first + bar_width * static_cast<double>(i),
                 bar_width,
                 i,
                 fmt::format("{}, {}", series.name, chart_.groups[group]));
    }
    const double x = begin + step / 2;
    const double y = y_.begin + 15;
    const std::string& name = chart_.groups[group];
    if (is_turned(chart_, width_)) {
      write(
          "<text x=\"{0:.1f}\" y=\"{1:.1f}\" text-anchor=\"end\" transform=\"rotate(-35 {0:.1f} "
          "{1:.1f})\">{2}</text>\n",
          x + 4,
          y - 2,
          xml_text(name));
    } else {
      write("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
            x,
            y,
            xml_text(name));
    }
  }

  void draw_bar(
      const Bar& bar, double x, double bar_width, size_t colour, const std::string& name) {
    const double zero = y_.place(0), top = y_.place(bar.value);
    std::string said = fmt::format("{}: {}", name, shown(bar.value));
    if (bar.low && bar.high) said += fmt::format(" ({} to {})", shown(*bar.low), shown(*bar.high));
    if (bar.n > 0) said += fmt::format(", n {}", bar.n);
    if (bar.chance) said += fmt::format(", chance {}", shown(*bar.chance));
    write("<g><title>{}</title>", xml_text(said));
    write("<rect class=\"f{}\"{} x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
          colour % kChartColours,
          colour >= kChartColours ? " opacity=\".55\"" : "",
          x + 0.5,
          std::min(zero, top),
          bar_width - 1,
          std::max(std::abs(zero - top), 0.5));
    const double middle = x + bar_width / 2, cap = std::min(bar_width / 4, 3.0);
    if (bar.low && bar.high) {
      write(
          "<path class=\"w\" d=\"M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {1:.1f}h{4:.1f}M{3:.1f} "
          "{2:.1f}h{4:.1f}\"/>",
          middle,
          y_.place(*bar.low),
          y_.place(*bar.high),
          middle - cap,
          2 * cap);
    }
    if (bar.chance)
      write("<path class=\"c\" d=\"M{:.1f} {:.1f}h{:.1f}\"/>", x, y_.place(*bar.chance), bar_width);
    out_ += "</g>\n";
  }

  const BarChart& chart_;
  double top_, width_;
  std::string& out_;
  Axis y_;
};

// Coloured squares with the names of the series; gives the height it took.
double draw_legend(const std::vector<BarSeries>& series, double width, std::string& out) {
  double x = 14, y = kMargin + 8;
  for (size_t i = 0; i < series.size(); ++i) {
    const double wanted = width_of(series[i].name) + 30;
    if (x > 14 && x + wanted > width - kRight) {
      x = 14;
      y += kLineHeight;
    }
    out += fmt::format(
        "<rect class=\"f{}\"{} x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\"/><text "
        "x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        i % kChartColours,
        i >= kChartColours ? " opacity=\".55\"" : "",
        x,
        y - 9,
        x + 15,
        y,
        xml_text(series[i].name));
    x += wanted;
  }
  return y + 6;
}

double sheet_width(std::span<const BarChart> charts) {
  double width = kLeastWidth;
  for (const BarChart& chart : charts) {
    const double bars = static_cast<double>(chart.groups.size() * chart.series.size());
    width = std::max(width, kLeft + kRight + bars * 20 / 0.78);
  }
  return std::clamp(width, kLeastWidth, kMostWidth);
}

}  // namespace

std::string bars_as_svg(std::span<const BarChart> charts) {
  const double width = sheet_width(charts);
  std::string panels;
  double top = charts.empty() ? kMargin : draw_legend(charts.front().series, width, panels);
  std::string titles;
  for (const BarChart& chart : charts) {
    BarPanel(chart, top, width, panels).draw();
    top += kTop + kPlotHeight + BarPanel::label_height(chart, width) + kMargin;
    titles += (titles.empty() ? "" : ", ") + chart.title;
  }
  return svg_begin(width, top, titles) + panels + "</svg>\n";
}

}  // namespace snellen::report
