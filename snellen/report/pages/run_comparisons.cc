// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/pages/run_comparisons.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/report/compare_text.h"

namespace snellen::report {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostRuns = 26;  // of a comparison: a letter each
constexpr size_t kMostWarnings = 20;

// The tasks that a run's stamp names.
std::vector<std::string> tasks_of(const ReportRun& run) {
  std::vector<std::string> names;
  const nlohmann::ordered_json& tasks = run.stored.stamped({"identity", "tasks"});
  if (!tasks.is_object()) return names;
  for (const auto& [name, facts] : tasks.items()) names.push_back(name);
  return names;
}

std::string shown_value(double value) {
  return std::isfinite(value) ? fmt::format("{:.3f}", value) : "-";
}

std::string shown_difference(double value) {
  return std::isfinite(value) ? fmt::format("{:+.3f}", value) : "-";
}

Table rows_table(const Comparison& comparison, bool of_metrics) {
  Table table({{"pair"},
               {of_metrics ? "metric" : "decisions"},
               {"first", true},
               {"later", true},
               {"difference", true},
               {"95 % interval"},
               {"n", true},
               {"p (Holm)", true},
               {"test"},
               {"finding"}});
  for (const ComparedRow& row : comparison.rows) {
    if ((row.kind == RowKind::kColumn) != of_metrics) continue;
    table.add({fmt::format("{} - {}", comparison.runs[row.run].label, comparison.runs[0].label),
               fit_text(row.id, 120),
               shown_value(row.first),
               shown_value(row.second),
               shown_difference(row.difference),
               row.interval ? fmt::format("[{}, {}]",
                                          shown_difference(row.interval->low),
                                          shown_difference(row.interval->high))
                            : fmt::format("none: {}", row.reason),
               std::to_string(row.n),
               shown_p(row.p_holm, row),
               row.p_method,
               finding_of(row, comparison)});
  }
  return table;
}

Table ranks_table(const Comparison& comparison) {
  Table table({{"task"}, {"run"}, {"share right", true}, {"n", true}, {"rank", true}, {"between"}});
  for (const RankRow& one : comparison.ranks)
    table.add({fit_text(one.task),
               comparison.runs[one.run].label,
               shown_value(one.value),
               std::to_string(one.n),
               std::to_string(one.rank),
               fmt::format("{} to {}", one.low, one.high)});
  return table;
}

RunComparison comparison_of(const std::vector<const ReportRun*>& runs,
                            const std::vector<std::string>& tasks,
                            size_t number) {
  std::vector<fs::path> folders;
  for (const ReportRun* run : runs) folders.push_back(run->stored.paths.folder);
  CompareOptions options;
  options.num_items = 0;
  options.num_threads = std::max(1U, std::thread::hardware_concurrency());
  const Comparison comparison = compare_runs(folders, options);
  std::vector<std::string> legend;
  for (size_t i = 0; i < runs.size(); ++i)
    legend.push_back(fmt::format(
        "{}: {} ({})", comparison.runs[i].label, runs[i]->label, fit_text(runs[i]->name)));
  RunComparison made{
      .name = fmt::format("differences-{}", number),
      .title = fit_text(fmt::format("{}", fmt::join(tasks, ", "))),
      .note = fmt::format("{}. Differences are later run - first run over the items that both "
                          "scored; p is adjusted by Holm's method, and a finding has one below {}. "
                          "snellen compare shows more of the same.",
                          fmt::join(legend, "; "),
                          kFindingAlpha),
      .warnings = {},
      .decisions = rows_table(comparison, /*of_metrics=*/false),
      .metrics = rows_table(comparison, /*of_metrics=*/true),
      .ranks = ranks_table(comparison),
      .csv = comparison_as_csv(comparison)};
  for (const std::string& warning : comparison.warnings)
    if (made.warnings.size() < kMostWarnings) made.warnings.push_back(warning);
  if (comparison.warnings.size() > kMostWarnings)
    made.warnings.push_back(fmt::format("{} more warnings: snellen compare prints them",
                                        comparison.warnings.size() - kMostWarnings));
  return made;
}

}  // namespace

std::vector<RunComparison> run_comparisons(const ReportInput& input,
                                           std::vector<std::string>& notes) {
  std::map<std::string, std::vector<const ReportRun*>> runs_of_task;
  for (const ReportRun& run : input.runs) {
    if (!fs::exists(run.stored.paths.samples())) continue;
    for (const std::string& task : tasks_of(run)) runs_of_task[task].push_back(&run);
  }
  // Tasks that the same runs have are compared at once.
  std::vector<std::pair<std::vector<const ReportRun*>, std::vector<std::string>>> groups;
  for (const auto& [task, runs] : runs_of_task) {
    if (runs.size() < 2) continue;
    auto same = std::find_if(groups.begin(), groups.end(), [&runs = runs](const auto& group) {
      return group.first == runs;
    });
    if (same == groups.end()) same = groups.insert(groups.end(), {runs, {}});
    same->second.push_back(task);
  }
  std::vector<RunComparison> comparisons;
  for (auto& [runs, tasks] : groups) {
    const std::string name = fit_text(fmt::format("{}", fmt::join(tasks, ", ")));
    if (runs.size() > kMostRuns) {
      notes.push_back(
          fmt::format("{}: differences of the first {} of {} runs", name, kMostRuns, runs.size()));
      runs.resize(kMostRuns);
    }
    try {
      comparisons.push_back(comparison_of(runs, tasks, comparisons.size() + 1));
    } catch (const Error& error) {
      notes.push_back(fmt::format("{}: not compared: {}", name, error.message()));
    }
  }
  return comparisons;
}

}  // namespace snellen::report
