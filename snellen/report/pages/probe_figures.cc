// SPDX-License-Identifier: Apache-2.0
// Probe-R and Probe-C, docs/spec/probe.md 9: figures 3 left and 4.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/ascii.h"
#include "snellen/report/charts/radar_chart.h"
#include "snellen/report/pages/figure.h"
#include "snellen/report/pages/mean_measurement.h"

namespace snellen::report {
namespace {

struct Comparison {
  const char* id;
  const char* name;
};
// The four that the paper reports.
constexpr auto kComparisons = std::to_array<Comparison>({
    {"probe-r/anchor/rel1_vs_rel2", "predicate swap"},
    {"probe-r/anchor/rel1_vs_rel3", "subject swap"},
    {"probe-r/anchor/rel1_vs_obj1", "relation against object"},
    {"probe-r/positives/obj1_vs_rel1", "object against relation"},
});

std::optional<Figure> radar(const ReportInput& input) {
  RadarChart chart{.title = "Probe-R: accuracy and mean confidence",
                   .subtitle = "points with 95 % intervals; the fourth comparison is on positives"};
  for (const char* ending : {"acc", "conf"}) {
    for (const Comparison& one : kComparisons)
      chart.axes.push_back(
          fmt::format("{}, {}", one.name, ending == std::string_view("acc") ? "acc" : "conf"));
  }
  Table numbers = numbers_table();
  for (const std::string& label : input.labels()) {
    BarSeries series{label, {}};
    bool has_any = false;
    for (const char* ending : {"acc", "conf"}) {
      for (const Comparison& comparison : kComparisons) {
        const std::string id = fmt::format("{}/{}", comparison.id, ending);
        const metrics::Measurement* one = input.find(label, id);
        has_any = has_any || one != nullptr;
        series.bars.push_back(one ? bar_of(*one, input.chance(label, id))
                                  : Bar{.value = std::nan("")});
        if (one) add_number(numbers, label, id, *one, input.chance(label, id));
      }
    }
    if (has_any) chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return std::nullopt;
  Figure figure{"probe-r-radar",
                "Relations (Probe-R)",
                "Accuracy and mean confidence of each comparison, as in figure 3 (left) of the "
                "paper. A model that understands relations keeps both high when the predicate or "
                "the subject is swapped.",
                radar_as_svg(chart),
                std::move(numbers)};
  for (const Comparison& one : kComparisons)
    for (const char* ending : {"acc", "conf"})
      figure.asked.push_back(fmt::format("{}/{}", one.id, ending));
  return figure;
}

std::optional<Figure> scores(const ReportInput& input) {
  BarFigure asked{"probe-c-scores",
                  "Composition (Probe-C)",
                  "Text, image and group score of both splits, as in figure 4 (left) of the paper.",
                  {}};
  for (const char* split : {"composition", "object"}) {
    AskedPanel panel{fmt::format("Probe-C, {} split", split), {}};
    for (const char* score : {"text", "image", "group"})
      panel.bars.push_back({score, fmt::format("probe-c/{}/{}", split, score)});
    asked.panels.push_back(std::move(panel));
  }
  return bar_figure(input, asked);
}

// "probe-c/SPLIT/by-category/NAME/SCORE": the names.
std::vector<std::string> categories_of(const ReportInput& input,
                                       const std::string& start,
                                       const std::string& end) {
  std::vector<std::string> names;
  for (const std::string& id : input.ids(start, end)) {
    names.push_back(id.substr(start.size(), id.size() - start.size() - end.size()));
  }
  return names;
}

std::optional<Figure> categories(const ReportInput& input) {
  BarFigure asked{"probe-c-categories",
                  "Composition by category (Probe-C)",
                  "Group score by category of the attribute, as in figure 4 (middle) of the paper.",
                  {}};
  for (const char* split : {"composition", "object"}) {
    const std::string start = fmt::format("probe-c/{}/by-category/", split);
    AskedPanel panel{fmt::format("Group score, {} split", split), {}};
    for (const std::string& name : categories_of(input, start, "/group"))
      panel.bars.push_back({name, fmt::format("{}{}/group", start, name)});
    if (!panel.bars.empty()) asked.panels.push_back(std::move(panel));
  }
  return bar_figure(input, asked);
}

bool is_resnet(const std::string& label) {
  const std::string name = ascii_lower(label);
  return name.find("rn50") != std::string::npos || name.find("rn101") != std::string::npos ||
         name.find("resnet") != std::string::npos;
}

// Needs CLIPs of both kinds, told by their names.
std::optional<Figure> towers(const ReportInput& input) {
  const std::string start = "probe-c/composition/by-category/", end = "/image";
  BarChart chart{.title = "CLIP's image score by category: ResNet against ViT",
                 .subtitle = "means over models"};
  Table numbers = numbers_table();
  chart.groups = categories_of(input, start, end);
  for (const bool wants_resnet : {true, false}) {
    BarSeries series{wants_resnet ? "ResNet" : "ViT", {}};
    bool has_any = false;
    for (const std::string& name : chart.groups) {
      std::vector<const metrics::Measurement*> all;
      for (const std::string& label : input.labels()) {
        const std::string lower = ascii_lower(label);
        if (lower.find("clip") == std::string::npos || is_resnet(label) != wants_resnet) continue;
        const metrics::Measurement* one = input.find(label, start + name + end);
        if (one) all.push_back(one);
      }
      const metrics::Measurement mean = mean_measurement(all);
      has_any = has_any || !all.empty();
      series.bars.push_back(bar_of(mean, std::nullopt));
      add_number(numbers, series.name, start + name + end, mean, std::nullopt);
    }
    if (!has_any) return std::nullopt;
    chart.series.push_back(std::move(series));
  }
  Figure figure{"probe-c-towers",
                "Composition by vision tower (Probe-C)",
                "CLIP with a ResNet (its name says rn50, rn101 or resnet) against CLIP with a ViT, "
                "as in figure 4 (right) of the paper; bounds are the means of the models' bounds.",
                bars_as_svg(std::span(&chart, 1)),
                std::move(numbers)};
  for (const std::string& name : chart.groups) figure.asked.push_back(start + name + end);
  return figure;
}

}  // namespace

std::vector<Figure> probe_figures(const ReportInput& input) {
  std::vector<Figure> figures;
  for (std::optional<Figure> one : {radar(input), scores(input), categories(input), towers(input)})
    if (one) figures.push_back(std::move(*one));
  return figures;
}

}  // namespace snellen::report
