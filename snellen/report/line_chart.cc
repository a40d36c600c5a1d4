// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/line_chart.h"

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

constexpr double kPanelWidth = 320;
constexpr double kPanelHeight = 216;
constexpr double kGap = 12;
constexpr double kLeft = 44, kTop = 42, kBottom = 38, kRight = 14;
constexpr double kLetter = 5.7;      // about the width of a letter of a label
constexpr double kLabelHeight = 12;  // labels keep this apart
constexpr size_t kMostDots = 40;

struct Label {
  double y = 0;
  std::string text;
  size_t colour = 0;
};

// Moves labels apart, keeping their order, within top and bottom.
void spread(std::vector<Label>& labels, double top, double bottom) {
  std::stable_sort(
      labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.y < b.y; });
  for (size_t i = 0; i < labels.size(); ++i)
    labels[i].y = std::max(labels[i].y, i == 0 ? top : labels[i - 1].y + kLabelHeight);
  for (size_t i = labels.size(); i-- > 0;)
    labels[i].y =
        std::min(labels[i].y, i + 1 == labels.size() ? bottom : labels[i + 1].y - kLabelHeight);
}

// One chart at a place of the sheet.
class Panel {
 public:
  Panel(const LineChart& chart, double left, double top, std::string& out)
      : chart_(chart), left_(left), top_(top), out_(out) {
    Range xs, ys;
    for (const ChartLine& line : chart.lines) {
      for (const ChartPoint& point : line.points) {
        if (!std::isfinite(point.y)) continue;
        xs.take(point.x);
        ys.take(point.y);
        if (point.low) ys.take(*point.low);
        if (point.high) ys.take(*point.high);
      }
    }
    is_empty_ = ys.is_empty();
    if (chart.level && !is_empty_) ys.take(*chart.level);
    if (chart.mark) xs.take(*chart.mark);
    x_ = axis_of(xs, 4, /*is_round=*/false);
    y_ = axis_of(ys, 5, /*is_round=*/true);
    if (chart.is_share) {
      y_.low = std::max(y_.low, 0.0);
      y_.high = std::min(y_.high, 1.0);
      std::erase_if(y_.ticks, [&](double tick) { return tick < y_.low || tick > y_.high; });
    }
    make_labels();
  }

  void draw() {
    write("<g transform=\"translate({:.0f} {:.0f})\">\n", left_, top_);
    write(
        "<text class=\"t\" x=\"{:.0f}\" y=\"17\">{}</text>\n", kLeft - 30, xml_text(chart_.title));
    if (!chart_.subtitle.empty())
      write("<text x=\"{:.0f}\" y=\"31\">{}</text>\n", kLeft - 30, xml_text(chart_.subtitle));
    if (is_empty_) {
      write("<text x=\"{:.0f}\" y=\"{:.0f}\">nothing yet</text>\n", kLeft, kPanelHeight / 2);
    } else {
      draw_axes();
      draw_levels();
      for (size_t i = 0; i < chart_.lines.size(); ++i) draw_band(chart_.lines[i], i);
      for (size_t i = 0; i < chart_.lines.size(); ++i) draw_line(chart_.lines[i], i);
      draw_labels();
    }
    out_ += "</g>\n";
  }

 private:
  template <typename... Args>
  void write(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  std::string shown(double value) const {
    return chart_.is_share ? tick_text(std::round(value * 1e6) / 1e4) : tick_text(value);
  }
  // A line and what it summarises share a colour.
  size_t colour_of(size_t line) const {
    size_t colour = 0;
    for (size_t i = 0; i < line; ++i) colour += chart_.lines[i].is_thin ? 0 : 1;
    return colour % kChartColours;
  }

  void make_labels() {
    const auto num_named = std::count_if(chart_.lines.begin(),
                                         chart_.lines.end(),
                                         [](const ChartLine& line) { return !line.is_thin; });
    double longest = 0;
    for (size_t i = 0; i < chart_.lines.size(); ++i) {
      const ChartLine& line = chart_.lines[i];
      const auto last = std::find_if(line.points.rbegin(),
                                     line.points.rend(),
                                     [](const ChartPoint& p) { return std::isfinite(p.y); });
      if (line.is_thin || last == line.points.rend()) continue;
      const std::string value =
          chart_.is_share ? fmt::format("{:.1f} %", 100 * last->y) : fmt::format("{:.3g}", last->y);
      labels_.push_back({.y = last->y,
                         .text = num_named > 1 ? fmt::format("{} {}", line.name, value) : value,
                         .colour = colour_of(i)});
      longest = std::max(longest, static_cast<double>(display_width(labels_.back().text)));
    }
    x_.begin = kLeft;
    x_.end = kPanelWidth - kRight - std::min(longest * kLetter + 6, kPanelWidth / 2);
    y_.begin = kPanelHeight - kBottom;
    y_.end = kTop;
    for (Label& label : labels_) label.y = y_.place(label.y);
    spread(labels_, y_.end, y_.begin);
  }

  void draw_axes() {
    for (const double tick : y_.ticks) {
      const double y = y_.place(tick);
      write("<path class=\"g\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", x_.begin, y, x_.end);
      write("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}{}</text>\n",
            x_.begin - 6,
            y + 3.5,
            shown(tick),
            chart_.is_share ? " %" : "");
    }
    for (const double tick : x_.ticks) {
      const double x = x_.place(tick);
      write("<path class=\"g\" d=\"M{:.1f} {:.1f}v4\"/>", x, y_.begin);
      write("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
            x,
            y_.begin + 15,
            tick_text(tick));
    }
    write("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
          (x_.begin + x_.end) / 2,
          y_.begin + 29,
          xml_text(chart_.x_title));
  }

  // How far from the lines a text of `width` at these pixels is.
  double room_at(double x, double y, double width) const {
    double room = kPanelHeight;
    for (const ChartLine& line : chart_.lines) {
      for (const ChartPoint& point : line.points) {
        const double at = x_.place(point.x);
        if (std::isfinite(point.y) && at > x - kLabelHeight && at < x + width + kLabelHeight)
          room = std::min(room, std::abs(y_.place(point.y) - (y - 3)));
      }
    }
    return room;
  }

  // Above or below the level, at its begin or its end: where the lines are farthest.
  void draw_level_name(double level) {
    const double width = static_cast<double>(display_width(chart_.level_name)) * kLetter;
    double best_x = x_.begin + 4, best_y = level - 4, most = -1;
    for (const double x : {x_.begin + 4, x_.end - width}) {
      for (const double y : {level - 4, level + kLabelHeight}) {
        const bool is_inside = y > y_.end + 8 && y < y_.begin;
        const double room = is_inside ? room_at(x, y, width) : 0;
        if (room <= most) continue;
        best_x = x;
        best_y = y;
        most = room;
      }
    }
    write(
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", best_x, best_y, xml_text(chart_.level_name));
  }

  void draw_levels() {
    if (chart_.level) {
      const double y = y_.place(*chart_.level);
      write("<path class=\"d\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", x_.begin, y, x_.end);
      draw_level_name(y);
    }
    if (chart_.mark) {
      const double x = x_.place(*chart_.mark);
      const bool is_right = x > (x_.begin + x_.end) / 2;
      write("<path class=\"m\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", x, y_.begin, y_.end);
      write("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
            x + (is_right ? -4 : 4),
            y_.begin - 4,
            is_right ? "end" : "start",
            xml_text(chart_.mark_name));
    }
  }

  void draw_band(const ChartLine& line, size_t number) {
    std::string above, below;
    for (const ChartPoint& point : line.points) {
      if (!std::isfinite(point.y) || !point.low || !point.high) continue;
      above += fmt::format("{:.1f} {:.1f} ", x_.place(point.x), y_.place(*point.high));
      below.insert(0, fmt::format("{:.1f} {:.1f} ", x_.place(point.x), y_.place(*point.low)));
    }
    if (!above.empty())
      write("<polygon class=\"b f{}\" points=\"{}{}\"/>\n", colour_of(number), above, below);
  }

  void draw_line(const ChartLine& line, size_t number) {
    std::string path, dots;
    bool goes_on = false;
    for (const ChartPoint& point : line.points) {
      if (!std::isfinite(point.y)) {
        goes_on = false;
        continue;
      }
      const double x = x_.place(point.x), y = y_.place(point.y);
      path += fmt::format("{}{:.1f} {:.1f}", goes_on ? 'L' : 'M', x, y);
      goes_on = true;
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.4\"/>", x, y);
    }
    if (path.empty()) return;
    write("<path class=\"{} s{}\" d=\"{}\"/>\n", line.is_thin ? 'n' : 'l', colour_of(number), path);
    if (!line.is_thin && line.points.size() <= kMostDots)
      write("<g class=\"f{}\">{}</g>\n", colour_of(number), dots);
  }

  void draw_labels() {
    for (const Label& label : labels_)
      write("<text class=\"v f{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
            label.colour,
            x_.end + 6,
            label.y + 3.5,
            xml_text(label.text));
  }

  const LineChart& chart_;
  double left_, top_;
  std::string& out_;
  Axis x_, y_;
  std::vector<Label> labels_;
  bool is_empty_ = false;
};

}  // namespace

std::string charts_as_svg(std::span<const LineChart> charts, size_t columns) {
  columns = std::clamp<size_t>(columns, 1, std::max<size_t>(charts.size(), 1));
  const size_t rows = (charts.size() + columns - 1) / columns;
  const double width = static_cast<double>(columns) * (kPanelWidth + kGap) + kGap;
  const double height = static_cast<double>(rows) * (kPanelHeight + kGap) + kGap;
  std::string titles;
  for (size_t i = 0; i < charts.size(); ++i) titles += (i > 0 ? ", " : "") + charts[i].title;
  std::string out = svg_begin(width, height, titles);
  for (size_t i = 0; i < charts.size(); ++i) {
    Panel(charts[i],
          kGap + static_cast<double>(i % columns) * (kPanelWidth + kGap),
          kGap + static_cast<double>(i / columns) * (kPanelHeight + kGap),
          out)
        .draw();
  }
  return out + "</svg>\n";
}

}  // namespace snellen::report
