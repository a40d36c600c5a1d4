// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/run_pair.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/metrics/measurement.h"
#include "snellen/report/compare_text.h"
#include "snellen/report/paired_row.h"
#include "snellen/store/results.h"

namespace snellen::report {
namespace {

using store::TaskRecord;

constexpr size_t kMostNames = 65536;  // of tasks, parts or columns a run may declare
constexpr size_t kMostPooled = 1000;

template <typename Named>
std::optional<uint32_t> place_of(const std::vector<Named>& all, const std::string& name) {
  auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  if (found == all.end()) return std::nullopt;
  return static_cast<uint32_t>(found - all.begin());
}

// The headline decision over all parts of a task.
struct TaskDecision {
  PairedColumn column{.name = "", .is_share = true};
  std::vector<double> differences;
  std::vector<stats::UnitClusters> clusters;

  void add(const PairedPart& part) {
    const PairedColumn& decision = part.columns.back();
    column.n += decision.n;
    column.num_undefined += decision.num_undefined;
    column.first_sum.merge(decision.first_sum);
    column.second_sum.merge(decision.second_sum);
    column.counts.both_right += decision.counts.both_right;
    column.counts.only_first += decision.counts.only_first;
    column.counts.only_second += decision.counts.only_second;
    column.counts.both_wrong += decision.counts.both_wrong;
    clusters.insert(clusters.end(), part.clusters.begin(), part.clusters.end());
    for (size_t i = part.columns.size() - 1; i < part.differences.size();
         i += part.columns.size()) {
      differences.push_back(part.differences[i]);
    }
  }
};

class Pair {
 public:
  Pair(
      OpenRun& first, OpenRun& second, size_t run, const Families& families, Comparison& comparison)
      : first_(first), second_(second), run_(run), families_(families), comparison_(comparison) {}

  void compare() {
    for (uint32_t task = 0; task < first_.tasks.size(); ++task) {
      std::optional<uint32_t> same = place_of(second_.tasks, first_.tasks[task].name);
      if (same) compare_task(task, *same);
    }
    if (num_common_ == 0) {
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format("has no scored item in common with {}", first_.folder()),
          second_.folder(),
          fmt::format("compare runs of the same task over the same annotations: {} there, {} here; "
                      "where two tasks have the same items, pair them with --map ONE=OTHER",
                      task_names(first_),
                      task_names(second_))};
    }
    if (!clustered_.empty() && comparison_.options.test == PairedTest::kMcNemar) {
      warn_once(
          fmt::format("{}: items share pictures or clips; McNemar's test takes items as "
                      "independent, so its p may be too small",
                      fmt::join(clustered_, ", ")));
    }
    if (first_.left_out) {
      warn_once(fmt::format("{} marked items were left out of A", num_left_out_));
      if (num_left_out_ == 0)
        warn_once("no item of A is marked: is it the file of another run's marks?");
      return;  // pooled metrics are of all items
    }
    add_pooled();
  }

 private:
  static std::string task_names(const OpenRun& run) {
    std::string names;
    for (const TaskRecord& task : run.tasks) names += (names.empty() ? "" : ", ") + task.name;
    return fit_text(names);
  }

  // The same holds for the next pair of runs as a rule.
  void warn_once(std::string line) const {
    std::vector<std::string>& lines = comparison_.warnings;
    if (std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  }

  void compare_task(uint32_t task, uint32_t same) {
    const TaskRecord& mine = first_.tasks[task];
    const TaskRecord& theirs = second_.tasks[same];
    DistinctIds cluster_names;
    TaskDecision decision;
    std::vector<ComparedRow> part_rows;
    std::vector<ComparedRow> column_rows;
    std::vector<ComparedItem> items;
    for (uint32_t part = 0; part < mine.parts.size(); ++part) {
      std::optional<uint32_t> same_part = place_of(theirs.parts, mine.parts[part].name);
      if (!same_part) continue;
      PairedPart paired =
          join_part({first_.samples, mine, task, part, first_.folder(), first_.left_out},
                    {second_.samples, theirs, same, *same_part, second_.folder(), first_.left_out},
                    cluster_names,
                    comparison_.options.num_items);
      add_coverage(mine, part, paired);
      num_left_out_ += paired.num_left_out;
      if (paired.clusters.empty()) continue;
      add_rows(mine, part, paired, part_rows, column_rows);
      decision.add(paired);
      for (Disagreement& one : paired.disagreements)
        items.push_back({run_, mine.name, std::move(one)});
    }
    if (decision.clusters.empty()) return;
    if (decision.column.n > 0) comparison_.rows.push_back(decision_row(mine.name, decision));
    if (part_rows.size() > 1) append(part_rows);
    append(column_rows);
    keep_items(std::move(items));
  }

  ComparedRow decision_row(const std::string& task, const TaskDecision& decision) {
    PairedSums sums = sums_of(decision.differences, decision.clusters, 1, comparison_.options);
    if (sums.is_shared) clustered_.push_back(fit_text(task));
    ComparedRow row =
        compared_row(decision.column, sums, 0, smallest_p(families_.tasks), comparison_.options);
    if (!row.interval && !row.reason.empty())
      warn_once(fmt::format("{}: {} ({} of them)", fit_text(task), row.reason, row.num_clusters));
    row.kind = RowKind::kTask;
    row.run = run_;
    row.id = task;
    return row;
  }

  void add_rows(const TaskRecord& task,
                uint32_t part,
                const PairedPart& paired,
                std::vector<ComparedRow>& part_rows,
                std::vector<ComparedRow>& column_rows) const {
    size_t width = paired.columns.size();
    PairedSums sums = sums_of(paired.differences, paired.clusters, width, comparison_.options);
    for (size_t place = 0; place < width; ++place) {
      const PairedColumn& column = paired.columns[place];
      bool is_decision = place + 1 == width;
      if (is_decision && column.n == 0) continue;
      size_t family = is_decision ? families_.parts : families_.columns;
      ComparedRow row = compared_row(column, sums, place, smallest_p(family), comparison_.options);
      row.kind = is_decision ? RowKind::kPart : RowKind::kColumn;
      row.run = run_;
      row.id = metrics::metric_id(task.name, task.parts[part].name, column.name);
      (is_decision ? part_rows : column_rows).push_back(std::move(row));
    }
  }

  void add_coverage(const TaskRecord& task, uint32_t part, const PairedPart& paired) {
    num_common_ += paired.clusters.size();
    comparison_.coverage.push_back({.run = run_,
                                    .task = task.name,
                                    .part = task.parts[part].name,
                                    .first_scored = paired.first_scored,
                                    .first_unscored = paired.first_unscored,
                                    .second_scored = paired.second_scored,
                                    .second_unscored = paired.second_unscored,
                                    .common = paired.clusters.size()});
  }

  void append(std::vector<ComparedRow>& rows) const {
    std::move(rows.begin(), rows.end(), std::back_inserter(comparison_.rows));
  }

  // The furthest of a task over all its parts.
  void keep_items(std::vector<ComparedItem> items) const {
    auto apart = [](const ComparedItem& one) {
      return std::abs(one.what.second_margin - one.what.first_margin);
    };
    std::stable_sort(items.begin(), items.end(), [&](const ComparedItem& a, const ComparedItem& b) {
      return apart(a) > apart(b);
    });
    items.resize(std::min(items.size(), comparison_.options.num_items));
    std::move(items.begin(), items.end(), std::back_inserter(comparison_.items));
  }

  // What results.json holds beyond the means of columns and their breakdowns.
  void add_pooled() const {
    if (!first_.stored.is_finished() || !second_.stored.is_finished()) return;
    std::set<std::string> known;
    for (const TaskRecord& task : first_.tasks) {
      for (const TaskRecord::Part& part : task.parts) {
        for (const TaskRecord::Column& column : task.columns)
          known.insert(metrics::metric_id(task.name, part.name, column.name));
      }
    }
    store::Results mine = store::read_results(first_.stored.paths.results());
    store::Results theirs = store::read_results(second_.stored.paths.results());
    std::map<std::string, const metrics::Measurement*> by_id;
    for (const metrics::Measurement& one : theirs.metrics) by_id.emplace(one.id, &one);
    for (const metrics::Measurement& one : mine.metrics) {
      auto same = by_id.find(one.id);
      bool is_mean = known.contains(one.id) || one.id.find("/by-category/") != std::string::npos;
      if (is_mean || same == by_id.end()) continue;
      if (comparison_.pooled.size() == kMostPooled) {
        warn_once(fmt::format("only the first {} pooled metrics are listed", kMostPooled));
        return;
      }
      comparison_.pooled.push_back(
          {run_, one.id, one.value, same->second->value, one.n, same->second->n});
    }
  }

  OpenRun& first_;
  OpenRun& second_;
  size_t run_;
  const Families& families_;
  Comparison& comparison_;
  uint64_t num_common_ = 0;
  uint64_t num_left_out_ = 0;
  std::vector<std::string> clustered_;
};

}  // namespace

OpenRun open_run(const std::filesystem::path& folder) {
  StoredRun stored = read_stored_run(folder);
  store::Samples samples = store::Samples::open_to_read(stored.paths.samples());
  std::vector<TaskRecord> tasks = samples.tasks();
  size_t names = tasks.size();
  for (const TaskRecord& task : tasks) names += task.parts.size() + task.columns.size();
  if (names > kMostNames) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("declares {} tasks, parts and columns, expected at most {}", names, kMostNames),
        stored.paths.samples().string(),
        "it was not written by snellen; run again"};
  }
  return {std::move(stored), std::move(samples), std::move(tasks)};
}

double smallest_p(size_t family) {
  return kFindingAlpha / (10.0 * static_cast<double>(std::max<size_t>(family, 1)));
}

void compare_pair(
    OpenRun& first, OpenRun& second, size_t run, const Families& families, Comparison& comparison) {
  Pair(first, second, run, families, comparison).compare();
}

std::vector<ComparedRow> compare_decisions(OpenRun& first,
                                           OpenRun& second,
                                           const Families& families,
                                           const CompareOptions& options) {
  std::vector<ComparedRow> rows;
  for (uint32_t task = 0; task < first.tasks.size(); ++task) {
    const TaskRecord& mine = first.tasks[task];
    std::optional<uint32_t> same = place_of(second.tasks, mine.name);
    if (!same) continue;
    DistinctIds cluster_names;
    TaskDecision decision;
    for (uint32_t part = 0; part < mine.parts.size(); ++part) {
      std::optional<uint32_t> same_part =
          place_of(second.tasks[*same].parts, mine.parts[part].name);
      if (!same_part) continue;
      decision.add(join_part(
          {first.samples, mine, task, part, first.folder(), first.left_out},
          {second.samples, second.tasks[*same], *same, *same_part, second.folder(), first.left_out},
          cluster_names,
          /*max_disagreements=*/0));
    }
    if (decision.column.n == 0) continue;
    PairedSums sums = sums_of(decision.differences, decision.clusters, 1, options);
    rows.push_back(compared_row(decision.column, sums, 0, smallest_p(families.tasks), options));
    rows.back().id = mine.name;
  }
  return rows;
}

}  // namespace snellen::report
