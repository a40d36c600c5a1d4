// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "snellen/report/pages/figure.h"

namespace snellen::report {
namespace {

using Maker = std::vector<Figure> (*)(const ReportInput& input);
// Adding a topic is one line here and its declaration in figure.h.
constexpr auto kMakers = std::to_array<Maker>(
    {probe_figures, probe_b_figures, vilma_figures, control_figures, bias_figures});

std::string digits(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{}", *value) : "";
}

}  // namespace

Table numbers_table() {
  return Table({{"model"},
                {"metric"},
                {"value", true},
                {"low", true},
                {"high", true},
                {"n", true},
                {"ties", true},
                {"chance", true}});
}

void add_number(Table& table,
                const std::string& model,
                const std::string& id,
                const metrics::Measurement& one,
                std::optional<double> chance) {
  table.add({model,
             id,
             digits(one.value),
             digits(one.low),
             digits(one.high),
             std::to_string(one.n),
             std::to_string(one.ties),
             digits(chance)});
}

Bar bar_of(const metrics::Measurement& one, std::optional<double> chance) {
  return {.value = one.value, .low = one.low, .high = one.high, .chance = chance, .n = one.n};
}

std::optional<Figure> bar_figure(const ReportInput& input, const BarFigure& asked) {
  Table numbers = numbers_table();
  std::vector<BarChart> charts;
  std::vector<std::string> models;
  for (const std::string& label : input.labels()) {
    const bool has_any = [&] {
      for (const AskedPanel& panel : asked.panels)
        for (const AskedBar& bar : panel.bars)
          if (input.find(label, bar.id)) return true;
      return false;
    }();
    if (has_any) models.push_back(label);
  }
  if (models.empty()) return std::nullopt;
  for (const AskedPanel& panel : asked.panels) {
    BarChart chart{.title = panel.title,
                   .subtitle = "95 % intervals; dashed: chance",
                   .is_share = panel.is_share};
    for (const AskedBar& bar : panel.bars) chart.groups.push_back(bar.group);
    for (const std::string& model : models) {
      BarSeries series{model, {}};
      for (const AskedBar& bar : panel.bars) {
        const metrics::Measurement* one = input.find(model, bar.id);
        if (one == nullptr) {
          series.bars.push_back({.value = std::nan("")});
          continue;
        }
        const std::optional<double> chance = input.chance(model, bar.id);
        series.bars.push_back(bar_of(*one, chance));
        add_number(numbers, model, bar.id, *one, chance);
      }
      chart.series.push_back(std::move(series));
    }
    charts.push_back(std::move(chart));
  }
  Figure figure{asked.name, asked.title, asked.caption, bars_as_svg(charts), std::move(numbers)};
  for (const AskedPanel& panel : asked.panels)
    for (const AskedBar& bar : panel.bars) figure.asked.push_back(bar.id);
  return figure;
}

std::vector<Figure> figures_of(const ReportInput& input, std::vector<std::string>& notes) {
  std::vector<Figure> figures;
  auto add = [&](std::vector<Figure> made) {
    figures.insert(
        figures.end(), std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
  };
  for (const Maker maker : kMakers) {
    add(maker(input));
    // The map of features stands beside the radar of the same task.
    if (maker == probe_figures) add(feature_figures(input, notes));
  }
  add(visdial_figures(input, notes));
  add(ladder_figures(input, notes));
  add(curve_figures(input, notes));
  return figures;
}

}  // namespace snellen::report
