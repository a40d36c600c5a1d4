// SPDX-License-Identifier: Apache-2.0
// Ladders of `run --control`, from RUN/control.json (docs/control.md).
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/report/pages/figure.h"

namespace snellen::report {
namespace {

using nlohmann::json;

constexpr size_t kMostMetrics = 6;
constexpr size_t kMostRungs = 40;

double number_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : std::nan("");
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

const json& list_of(const json& object, const char* key) {
  static const json kNone = json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : kNone;
}

// "value", "n", "low", "high", "ties".
metrics::Measurement measured(const json& object, const std::string& id) {
  metrics::Measurement one{.id = id, .value = number_of(object, "value")};
  const double low = number_of(object, "low"), high = number_of(object, "high");
  if (std::isfinite(low)) one.low = low;
  if (std::isfinite(high)) one.high = high;
  if (const double n = number_of(object, "n"); n >= 0 && n < 1e15) one.n = static_cast<uint64_t>(n);
  if (const double ties = number_of(object, "ties"); ties >= 0 && ties < 1e15)
    one.ties = static_cast<uint64_t>(ties);
  return one;
}

// The headline metrics with a chance level, or the first that have one.
std::vector<const json*> shown_metrics(const json& control, const store::Results& results) {
  const std::vector<std::string> headlines = headline_ids(results);
  std::vector<const json*> shown, others;
  for (const json& metric : list_of(control, "metrics")) {
    if (!metric.is_object() || !std::isfinite(number_of(metric, "chance"))) continue;
    const bool is_headline =
        std::find(headlines.begin(), headlines.end(), text_of(metric, "id")) != headlines.end();
    (is_headline ? shown : others).push_back(&metric);
  }
  if (shown.empty()) shown = std::move(others);
  if (shown.size() > kMostMetrics)
    shown.erase(shown.begin() + static_cast<ptrdiff_t>(kMostMetrics), shown.end());
  return shown;
}

// The tasks of these metrics, for the title: one model may have a ladder for each of several.
std::string tasks_of(const std::vector<const json*>& metrics) {
  std::vector<std::string> tasks;
  for (const json* metric : metrics) {
    const std::string id = text_of(*metric, "id");
    const std::string task = id.substr(0, id.find('/'));
    if (std::find(tasks.begin(), tasks.end(), task) == tasks.end()) tasks.push_back(task);
  }
  return fmt::format("{}", fmt::join(tasks, ", "));
}

std::optional<Figure> ladder_figure(const ReportRun& run, const json& control, size_t number) {
  const std::vector<const json*> metrics = shown_metrics(control, run.results);
  if (metrics.empty()) return std::nullopt;
  BarChart chart{.title = "Score on each rung",
                 .subtitle = "95 % intervals; dashed: chance",
                 .groups = {"as it is"}};
  for (const json& rung : list_of(control, "rungs")) {
    if (rung.is_object() && rung.contains("folder") && chart.groups.size() <= kMostRungs)
      chart.groups.push_back(text_of(rung, "name"));
  }
  Figure figure{fmt::format("control-ladder-{}", number),
                fmt::format("Does {} need the picture? ({})", run.label, tasks_of(metrics)),
                "The same items with their pictures changed or taken away. ",
                "",
                numbers_table()};
  for (const json* metric : metrics) {
    const std::string id = text_of(*metric, "id");
    const double chance = number_of(*metric, "chance");
    BarSeries series{id, {}};
    auto add = [&](const json& object, const std::string& rung) {
      const metrics::Measurement one = measured(object, id);
      series.bars.push_back(bar_of(one, chance));
      add_number(figure.numbers, run.label, fmt::format("{} under {}", id, rung), one, chance);
    };
    if (const auto clean = metric->find("clean"); clean != metric->end() && clean->is_object())
      add(*clean, chart.groups.front());
    if (series.bars.empty()) continue;
    for (size_t group = 1; group < chart.groups.size(); ++group) {
      const json& rungs = list_of(*metric, "rungs");
      const auto found = std::find_if(rungs.begin(), rungs.end(), [&](const json& one) {
        return one.is_object() && text_of(one, "rung") == chart.groups[group];
      });
      if (found == rungs.end()) {
        series.bars.push_back({.value = std::nan("")});
      } else {
        add(*found, chart.groups[group]);
      }
    }
    chart.series.push_back(std::move(series));
    for (const json& verdict : list_of(*metric, "verdicts")) {
      if (verdict.is_object() && !text_of(verdict, "sentence").empty())
        figure.caption += fmt::format("{}: {}. ", id, text_of(verdict, "sentence"));
    }
  }
  figure.svg = bars_as_svg(std::span(&chart, 1));
  return figure;
}

}  // namespace

std::vector<Figure> ladder_figures(const ReportInput& input, std::vector<std::string>& notes) {
  std::vector<Figure> figures;
  for (const ReportRun& run : input.runs) {
    const std::filesystem::path file = run.stored.paths.folder / "control.json";
    if (!std::filesystem::exists(file)) continue;
    try {
      const json control = formats::parse_json_object(read_text_file(file), file.string());
      if (std::optional<Figure> made = ladder_figure(run, control, figures.size() + 1))
        figures.push_back(std::move(*made));
    } catch (const Error& error) {
      notes.push_back(fmt::format("{}: control.json: {}", run.name, error.message()));
    }
  }
  return figures;
}

}  // namespace snellen::report
