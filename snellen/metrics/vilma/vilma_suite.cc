// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/vilma_suite.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

constexpr std::array<VilmaShare VilmaScores::*, 3> kShares = {
    &VilmaScores::p, &VilmaScores::t, &VilmaScores::pt};

void check_row(const VilmaSubtaskReport& row) {
  const bool is_pair =
      std::all_of(row.pairs.rows.begin(), row.pairs.rows.end(), [](const FoilRow& item) {
        return item.proficiency.has_value();
      });
  if (is_pair && !row.pairs.rows.empty()) return;
  throw Error{
      ErrorCode::kInvalidInput,
      row.pairs.rows.empty() ? "has no scored items" : "has items without a proficiency decision",
      fmt::format("suite row '{}'", row.name),
      "give proficiency and main results of the same annotation file"};
}

void add(VilmaShare& total, double credit, bool is_tied, double chance) {
  total.num_correct += credit;
  total.num_ties += is_tied ? 1 : 0;
  total.chance += chance;  // a sum until finish() divides it
}

void add_items(VilmaScores& scores, std::span<const FoilRow> rows) {
  scores.n += rows.size();
  for (const FoilRow& row : rows) {
    const double chance_p = foil_chance(row.num_prof_foils);
    const double chance_t = foil_chance(row.num_foils);
    add(scores.p, row.proficiency->credit, row.proficiency->is_tied, chance_p);
    add(scores.t, row.test.credit, row.test.is_tied, chance_t);
    add(scores.pt, row.credit, row.is_tied, chance_p * chance_t);
  }
}

void finish(VilmaScores& scores, double confidence) {
  const auto n = static_cast<double>(scores.n);
  for (auto member : kShares) {
    VilmaShare& share = scores.*member;
    share.share = share.num_correct / n;
    share.chance /= n;
    const auto fewer = static_cast<uint64_t>(std::floor(share.num_correct));
    const auto more = static_cast<uint64_t>(std::ceil(share.num_correct));
    share.interval = stats::wilson(fewer, scores.n, confidence);
    if (more != fewer) share.interval->high = stats::wilson(more, scores.n, confidence)->high;
  }
}

VilmaShare mean_over(std::span<const VilmaTask> tasks, VilmaShare VilmaScores::*member) {
  const auto count = static_cast<double>(tasks.size());
  VilmaShare mean;
  double below = 0.0;
  double above = 0.0;
  for (const VilmaTask& task : tasks) {
    const VilmaShare& share = task.scores.*member;
    mean.share += share.share;
    mean.chance += share.chance;
    mean.num_ties += share.num_ties;
    below += std::pow(share.share - share.interval->low, 2);
    above += std::pow(share.interval->high - share.share, 2);
  }
  mean.share /= count;
  mean.chance /= count;
  mean.interval = stats::Interval{.low = mean.share - std::sqrt(below) / count,
                                  .high = mean.share + std::sqrt(above) / count,
                                  .method = "wilson-mover"};
  return mean;
}

// The tasks that occur, published order first.
std::vector<std::string> tasks_of(std::span<const VilmaSubtaskReport> rows) {
  auto occurs = [&](std::string_view task) {
    return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.task == task; });
  };
  std::vector<std::string> tasks;
  for (std::string_view task : kVilmaTasks) {
    if (occurs(task)) tasks.emplace_back(task);
  }
  for (const VilmaSubtaskReport& row : rows) {
    if (std::find(tasks.begin(), tasks.end(), row.task) == tasks.end()) tasks.push_back(row.task);
  }
  return tasks;
}

VilmaTask pool(const std::string& task,
               std::span<const VilmaSubtaskReport> rows,
               double confidence) {
  VilmaTask pooled{.name = task, .scores = {}};
  std::map<std::string_view, std::string_view> owner_of;
  for (const VilmaSubtaskReport& row : rows) {
    if (row.task != task) continue;
    for (const FoilRow& item : row.pairs.rows) {
      auto [owner, is_new] = owner_of.emplace(item.id, row.name);
      if (is_new) continue;
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("item '{}' is in two rows of task {}: '{}' and '{}'",
                              item.id,
                              task,
                              owner->second,
                              row.name),
                  "suite",
                  "give each item once (of counting either the sec or the pts file)"};
    }
    add_items(pooled.scores, row.pairs.rows);
  }
  finish(pooled.scores, confidence);
  return pooled;
}

}  // namespace

VilmaSuite vilma_suite(std::span<const VilmaSubtaskReport> rows, double confidence) {
  if (rows.empty()) {
    throw Error{ErrorCode::kInvalidInput, "has no rows", "suite", "list at least one subtask"};
  }
  VilmaSuite suite;
  for (const VilmaSubtaskReport& row : rows) {
    check_row(row);
    VilmaSubtask subtask{row.name, row.annotation, row.task, row.subtask, {}};
    add_items(subtask.scores, row.pairs.rows);
    finish(subtask.scores, confidence);
    suite.subtasks.push_back(std::move(subtask));
  }
  for (const std::string& task : tasks_of(rows))
    suite.tasks.push_back(pool(task, rows, confidence));
  for (const VilmaTask& task : suite.tasks) suite.average.n += task.scores.n;
  for (auto member : kShares) suite.average.*member = mean_over(suite.tasks, member);
  suite.is_complete =
      std::equal(suite.tasks.begin(),
                 suite.tasks.end(),
                 kVilmaTasks.begin(),
                 kVilmaTasks.end(),
                 [](const VilmaTask& task, std::string_view name) { return task.name == name; });
  return suite;
}

}  // namespace snellen::metrics
