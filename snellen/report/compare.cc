// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/compare.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "snellen/report/compare_text.h"
#include "snellen/report/paired_row.h"
#include "snellen/report/run_differences.h"
#include "snellen/report/run_pair.h"
#include "snellen/report/run_ranks.h"
#include "snellen/stats/confidence.h"

namespace snellen::report {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostRuns = 26;  // one letter each

void check(std::span<const fs::path> folders, const CompareOptions& options) {
  if (folders.size() < 2 || folders.size() > kMostRuns) {
    throw Error{ErrorCode::kUsage,
                fmt::format("{} run folders given, expected 2 to {}", folders.size(), kMostRuns),
                "",
                "snellen compare RUN_A RUN_B"};
  }
  stats::lower_tail(options.confidence);  // throws when out of range
}

// At most: all that the first run declares, in every later run.
Families families_of(const OpenRun& first, size_t num_runs) {
  Families families;
  for (const store::TaskRecord& task : first.tasks) {
    families.tasks += 1;
    families.parts += task.parts.size();
    families.columns += task.parts.size() * task.columns.size();
  }
  families.parts *= num_runs - 1;
  families.columns *= num_runs - 1;
  families.tasks *= num_runs * (num_runs - 1) / 2;  // ranks take all pairs
  return families;
}

// Calls tasks of a later run as the first run calls them; a task that had the name steps aside.
void rename_tasks(const CompareOptions& options, OpenRun& later) {
  for (const auto& [first, second] : options.same_tasks) {
    store::TaskRecord* mapped = nullptr;
    std::string names;
    for (store::TaskRecord& task : later.tasks) {
      if (task.name == second) mapped = &task;
      names += (names.empty() ? "" : ", ") + task.name;
    }
    if (mapped == nullptr) {
      throw Error{ErrorCode::kUsage,
                  fmt::format("{} has no task '{}'", later.folder(), second),
                  "--map",
                  fmt::format("it has: {}", fit_text(names))};
    }
    for (store::TaskRecord& task : later.tasks) {
      if (task.name == first) task.name += " (own)";
    }
    mapped->name = first;
  }
}

// All pairs of the runs; those with the first are in the rows already.
std::vector<RankRow> ranks_of(std::vector<OpenRun>& runs,
                              const Families& families,
                              const Comparison& comparison) {
  std::map<std::string, std::vector<PairDecision>> by_task;
  for (const ComparedRow& row : comparison.rows) {
    if (row.kind == RowKind::kTask) by_task[row.id].push_back({0, row.run, row});
  }
  for (size_t first = 1; first < runs.size(); ++first) {
    for (size_t second = first + 1; second < runs.size(); ++second) {
      for (ComparedRow& row :
           compare_decisions(runs[first], runs[second], families, comparison.options))
        by_task[row.id].push_back({first, second, std::move(row)});
    }
  }
  std::vector<RankRow> ranks;
  for (const auto& [task, pairs] : by_task) {
    for (RankRow& row : rank_runs(task, runs.size(), pairs, kFindingAlpha))
      ranks.push_back(std::move(row));
  }
  return ranks;
}

}  // namespace

std::string_view name_of(PairedTest test) {
  return test == PairedTest::kMcNemar ? "mcnemar" : "auto";
}

std::string_view name_of(RowKind kind) {
  switch (kind) {
    case RowKind::kTask:
      return "task";
    case RowKind::kPart:
      return "part";
    case RowKind::kColumn:
      return "metric";
  }
  return "metric";
}

size_t Comparison::family_size(RowKind kind) const {
  return static_cast<size_t>(std::count_if(rows.begin(), rows.end(), [&](const ComparedRow& row) {
    return row.kind == kind && row.p.has_value();
  }));
}

Comparison compare_runs(std::span<const fs::path> folders, const CompareOptions& options) {
  check(folders, options);
  Comparison comparison;
  comparison.options = options;
  std::vector<OpenRun> runs;
  Families families;
  const store::MarkedItems left_out(options.marks);
  for (size_t run = 0; run < folders.size(); ++run) {
    runs.push_back(open_run(folders[run]));
    if (!left_out.is_empty()) runs[run].left_out = &left_out;
    std::string label(1, static_cast<char>('A' + run));
    const StoredRun& stored = runs[run].stored;
    comparison.runs.push_back({label, runs[run].folder(), stored.model, stored.verdict});
    if (!stored.is_finished()) {
      comparison.warnings.push_back(
          fmt::format("{} is {}, not finished: only what it has scored so far is compared",
                      label,
                      fit_text(stored.verdict)));
    }
    if (run == 0) {
      families = families_of(runs[0], folders.size());
      continue;
    }
    rename_tasks(options, runs[run]);
    for (std::string& line : run_differences(runs[0].stored, "A", stored, label))
      comparison.warnings.push_back(std::move(line));
    compare_pair(runs[0], runs[run], run, families, comparison);
  }
  for (RowKind kind : {RowKind::kTask, RowKind::kPart, RowKind::kColumn})
    adjust_family(comparison.rows, kind);
  if (runs.size() > 2) comparison.ranks = ranks_of(runs, families, comparison);
  return comparison;
}

}  // namespace snellen::report
