// SPDX-License-Identifier: Apache-2.0
// Probe-B, docs/spec/probe.md 9: figures 5, 6 and 8.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "snellen/report/pages/figure.h"
#include "snellen/report/pages/mean_measurement.h"

namespace snellen::report {
namespace {

// "TASK/FILLER/METRIC": the fillers that were run.
std::vector<std::string> fillers_of(const ReportInput& input, const std::string& task) {
  std::set<std::string> fillers;
  for (const std::string& id : input.ids(task + "/")) {
    const size_t begin = task.size() + 1, end = id.find('/', begin);
    if (end != std::string::npos) fillers.insert(id.substr(begin, end - begin));
  }
  return {fillers.begin(), fillers.end()};
}

struct Panel {
  std::string title;
  std::vector<std::string> metrics;  // behind TASK/FILLER/
  bool is_share = false;
};

bool measured_any(const ReportInput& input,
                  const std::string& task,
                  const std::vector<std::string>& fillers,
                  const Panel& panel) {
  for (const std::string& label : input.labels())
    for (const std::string& filler : fillers)
      for (const std::string& metric : panel.metrics)
        if (input.find(label, fmt::format("{}/{}/{}", task, filler, metric))) return true;
  return false;
}

// By filler, each the mean over models; or by model, each the mean over fillers. Panels that no run
// measured are left out.
std::optional<Figure> means_figure(const ReportInput& input,
                                   const std::string& task,
                                   const std::vector<Panel>& panels,
                                   bool by_filler,
                                   Figure figure) {
  const std::vector<std::string> fillers = fillers_of(input, task);
  std::vector<std::string> models;
  for (const std::string& label : input.labels()) {
    const bool has_run_it =
        std::any_of(input.runs.begin(), input.runs.end(), [&](const ReportRun& run) {
          const auto& all = run.results.metrics;
          return run.label == label &&
                 std::any_of(all.begin(), all.end(), [&](const metrics::Measurement& one) {
                   return one.id.starts_with(task + "/");
                 });
        });
    if (has_run_it) models.push_back(label);
  }
  if (fillers.empty() || models.empty()) return std::nullopt;
  std::vector<BarChart> charts;
  for (const Panel& panel : panels) {
    for (const std::string& filler : fillers)
      for (const std::string& metric : panel.metrics)
        figure.asked.push_back(fmt::format("{}/{}/{}", task, filler, metric));
    if (!measured_any(input, task, fillers, panel)) continue;
    BarChart chart{
        .title = panel.title,
        .subtitle = by_filler ? "by filler, means over models" : "by model, means over fillers",
        .groups = panel.metrics,
        .is_share = panel.is_share};
    for (const std::string& name : by_filler ? fillers : models) {
      BarSeries series{name, {}};
      for (const std::string& metric : panel.metrics) {
        std::vector<const metrics::Measurement*> all;
        for (const std::string& other : by_filler ? models : fillers) {
          const std::string id = fmt::format("{}/{}/{}", task, by_filler ? name : other, metric);
          if (const metrics::Measurement* one = input.find(by_filler ? other : name, id))
            all.push_back(one);
        }
        const metrics::Measurement mean = mean_measurement(all);
        series.bars.push_back(bar_of(mean, std::nullopt));
        add_number(figure.numbers, name, fmt::format("{}/*/{}", task, metric), mean, std::nullopt);
      }
      chart.series.push_back(std::move(series));
    }
    charts.push_back(std::move(chart));
  }
  figure.svg = bars_as_svg(charts);
  return figure;
}

constexpr const char* kBounds = " Bounds are the means of the bounds that were averaged.";

std::vector<Panel> background_panels() {
  return {
      {"Average precision of naming all things", {"gt/map", "patch/map", "mod/map"}, true},
      {"Robustness", {"gt_mod/robustness", "gt_patch/robustness", "patch_mod/robustness"}, false}};
}

// Of `--robustness softmax`, the default, and of `--robustness similarity`.
std::vector<Panel> cooccurrence_panels() {
  return {{"Robustness of the confidence",
           {"gt_mod/rel_robustness", "patch_mod/rel_robustness"},
           false},
          {"Robustness of the similarity",
           {"gt_mod/rel_robustness_similarity", "patch_mod/rel_robustness_similarity"},
           false},
          {"Accuracy", {"gt/acc", "patch/acc", "mod/acc"}, true}};
}

std::optional<Figure> object_categories(const ReportInput& input) {
  const std::string task = "probe-b-cooccurrence";
  BarFigure asked{"probe-b-object-categories",
                  "Context by object category (Probe-B_R)",
                  "Mean change of confidence (of similarity with --robustness similarity) when "
                  "all other objects are removed, by category of the object, as in figure 8 of the "
                  "paper. Positive: the context helped.",
                  {}};
  for (const std::string& filler : fillers_of(input, task)) {
    const std::string start = fmt::format("{}/{}/by-category/", task, filler);
    for (const char* change : {"confidence", "similarity"}) {
      const std::string end = fmt::format(
          "/gt_mod/change_{}", change == std::string_view("confidence") ? "conf" : change);
      AskedPanel panel{fmt::format("Change of {}, filler {}", change, filler), {}, false};
      for (const std::string& id : input.ids(start, end))
        panel.bars.push_back({id.substr(start.size(), id.size() - start.size() - end.size()), id});
      if (!panel.bars.empty()) asked.panels.push_back(std::move(panel));
    }
  }
  return bar_figure(input, asked);
}

}  // namespace

std::vector<Figure> probe_b_figures(const ReportInput& input) {
  std::vector<Figure> figures;
  for (const bool by_filler : {true, false}) {
    const char* side = by_filler ? "filler" : "model";
    std::optional<Figure> background =
        means_figure(input,
                     "probe-b-background",
                     background_panels(),
                     by_filler,
                     {fmt::format("probe-b-background-by-{}", side),
                      fmt::format("Background by {} (Probe-B_MR)", side),
                      fmt::format("Whole picture (gt), with a patch, without background (mod), as "
                                  "in figure 5 of the paper.{}",
                                  kBounds),
                      "",
                      numbers_table()});
    if (background) figures.push_back(std::move(*background));
  }
  for (const bool by_filler : {true, false}) {
    const char* side = by_filler ? "filler" : "model";
    std::optional<Figure> cooccurrence = means_figure(
        input,
        "probe-b-cooccurrence",
        cooccurrence_panels(),
        by_filler,
        {fmt::format("probe-b-cooccurrence-by-{}", side),
         fmt::format("Co-occurring objects by {} (Probe-B_R)", side),
         fmt::format(
             "Recognising one object with the others removed (mod), compared with the whole "
             "picture (gt) and with a patch, as in figure 6 of the paper.{}",
             kBounds),
         "",
         numbers_table()});
    if (cooccurrence) figures.push_back(std::move(*cooccurrence));
  }
  if (std::optional<Figure> one = object_categories(input)) figures.push_back(std::move(*one));
  return figures;
}

}  // namespace snellen::report
