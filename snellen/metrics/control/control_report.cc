// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/control_report.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/metrics/choice/share.h"
#include "snellen/stats/multiple.h"

namespace snellen::metrics {
namespace {

constexpr double kSolvableShare = 0.75;

using ById = std::unordered_map<std::string_view, const ControlOutcome*>;

bool is_right(const ControlOutcome& outcome) {
  return outcome.chosen == outcome.label;
}

ById index_by_id(const std::vector<ControlOutcome>& outcomes, std::string_view run) {
  ById all;
  for (const ControlOutcome& outcome : outcomes) {
    if (all.emplace(outcome.id, &outcome).second) continue;
    throw Error{ErrorCode::kInvalidInput,
                "item has two answers in one run",
                fmt::format("{}: item {}", run, outcome.id),
                "keep one answer per item, control and option order"};
  }
  return all;
}

ControlRow count_run(const ControlRun& run, double confidence) {
  ControlRow row{.name = run.name, .is_blind = run.is_blind, .n = run.outcomes.size()};
  for (const ControlOutcome& outcome : run.outcomes) {
    if (is_right(outcome)) ++row.correct;
    if (!outcome.position) continue;
    if (row.letters.size() <= *outcome.position) row.letters.resize(*outcome.position + 1);
    ++row.letters[*outcome.position];
  }
  row.accuracy = share(row.correct, row.n);
  row.wilson = stats::wilson(row.correct, row.n, confidence);
  return row;
}

void compare_with_clean(ControlRow& row,
                        const ControlRun& clean,
                        const ById& control,
                        const ControlOptions& options) {
  std::vector<double> with_picture;
  std::vector<double> without;
  uint64_t num_agreeing = 0;
  uint64_t only_clean = 0;
  uint64_t only_control = 0;
  for (const ControlOutcome& outcome : clean.outcomes) {
    auto found = control.find(outcome.id);
    if (found == control.end()) continue;
    bool clean_right = is_right(outcome);
    bool control_right = is_right(*found->second);
    with_picture.push_back(clean_right ? 1 : 0);
    without.push_back(control_right ? 1 : 0);
    if (outcome.chosen == found->second->chosen) ++num_agreeing;
    if (clean_right && !control_right) ++only_clean;
    if (!clean_right && control_right) ++only_control;
  }
  row.num_paired = with_picture.size();
  if (row.num_paired == 0) return;
  auto n = static_cast<double>(row.num_paired);
  row.visual_gain = (static_cast<double>(only_clean) - static_cast<double>(only_control)) / n;
  row.agreement = share(num_agreeing, row.num_paired);
  row.mcnemar = stats::mcnemar(only_clean, only_control);
  if (options.bootstrap) {
    stats::BootstrapOptions asked = *options.bootstrap;
    asked.confidence = options.confidence;
    row.visual_gain_interval = stats::paired_bootstrap(with_picture, without, asked);
  }
}

void adjust_p_values(std::vector<ControlRow>& rows) {
  std::vector<double> p_values;
  for (const ControlRow& row : rows) {
    if (row.mcnemar) p_values.push_back(row.mcnemar->p);
  }
  std::vector<double> adjusted = stats::holm(p_values);
  size_t next = 0;
  for (ControlRow& row : rows) {
    if (row.mcnemar) row.p_holm = adjusted[next++];
  }
}

void add_baselines(ControlReport& report, const ControlRun& clean) {
  if (clean.outcomes.empty()) return;
  double sum_chance = 0;
  std::vector<uint64_t> right_positions;
  for (const ControlOutcome& outcome : clean.outcomes) {
    SNELLEN_CHECK(outcome.num_options > 0);
    sum_chance += 1.0 / static_cast<double>(outcome.num_options);
    if (right_positions.size() <= outcome.label_position)
      right_positions.resize(outcome.label_position + 1);
    ++right_positions[outcome.label_position];
  }
  report.chance = sum_chance / static_cast<double>(clean.outcomes.size());
  report.majority_letter = share(*std::max_element(right_positions.begin(), right_positions.end()),
                                 clean.outcomes.size());
}

void add_blind_items(ControlReport& report,
                     const ControlRun& clean,
                     const std::vector<ById>& blind) {
  if (blind.empty()) return;
  uint64_t num_complete = 0;
  uint64_t num_solved = 0;
  for (const ControlOutcome& outcome : clean.outcomes) {
    uint64_t num_seen = 0;
    uint64_t num_right = 0;
    for (const ById& run : blind) {
      auto found = run.find(outcome.id);
      if (found == run.end()) continue;
      ++num_seen;
      if (is_right(*found->second)) ++num_right;
    }
    if (num_seen == blind.size()) {
      ++num_complete;
      if (num_right == num_seen) ++num_solved;
    }
    std::optional<double> solved = share(num_right, num_seen);
    if (solved && *solved >= kSolvableShare) report.text_solvable.push_back(outcome.id);
  }
  report.blind_solvable = share(num_solved, num_complete);
}

}  // namespace

ControlReport report_controls(std::span<const ControlRun> runs, const ControlOptions& options) {
  auto clean = std::find_if(
      runs.begin(), runs.end(), [](const ControlRun& run) { return run.name == "clean"; });
  if (clean == runs.end()) {
    throw Error{
        ErrorCode::kInvalidInput, "no run is named clean", "controls", "add clean to --controls"};
  }
  ControlReport report;
  add_baselines(report, *clean);
  std::vector<ById> blind;
  for (const ControlRun& run : runs) {
    ControlRow row = count_run(run, options.confidence);
    ById by_id = index_by_id(run.outcomes, run.name);
    if (&run != &*clean) compare_with_clean(row, *clean, by_id, options);
    if (run.is_blind) blind.push_back(std::move(by_id));
    report.rows.push_back(std::move(row));
  }
  const std::optional<double> seen =
      report.rows[static_cast<size_t>(clean - runs.begin())].accuracy;
  for (ControlRow& row : report.rows) {
    bool is_defined =
        row.is_blind && row.accuracy && seen && report.chance && *seen > *report.chance;
    if (is_defined) row.leak_ratio = (*row.accuracy - *report.chance) / (*seen - *report.chance);
  }
  adjust_p_values(report.rows);
  add_blind_items(report, *clean, blind);
  return report;
}

std::optional<double> circular_accuracy(std::span<const std::vector<ControlOutcome>> by_order) {
  if (by_order.empty()) return std::nullopt;
  std::unordered_map<std::string_view, uint64_t> num_right;
  for (const std::vector<ControlOutcome>& outcomes : by_order) {
    for (const ControlOutcome& outcome : outcomes) {
      uint64_t& count = num_right[outcome.id];
      if (is_right(outcome)) ++count;
    }
  }
  uint64_t num_always = 0;
  for (const auto& [id, count] : num_right) {
    if (count == by_order.size()) ++num_always;
  }
  return share(num_always, num_right.size());
}

}  // namespace snellen::metrics
