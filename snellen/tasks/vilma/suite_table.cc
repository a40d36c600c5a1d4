// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/suite_table.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "snellen/tasks/vilma/sources.h"

namespace snellen::tasks::vilma {
namespace {

using metrics::Measurement;
using metrics::VilmaScores;
using metrics::VilmaShare;

using ById = std::map<std::string_view, const Measurement*>;

annotations::VilmaPlace place_of_file(const std::filesystem::path& file) {
  auto place = annotations::vilma_place_of(file, {});
  if (!place) {
    const annotations::VilmaAnnotations all(std::span(&file, 1));
    if (all.size() > 0) place = annotations::vilma_place_of(file, all.item(0).value());
  }
  return place.value_or(annotations::VilmaPlace{});
}

const Measurement* find(const ById& by_id, const std::string& id) {
  const auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : found->second;
}

VilmaShare share_of(const ById& by_id, const std::string& part, const char* column) {
  const std::string id = fmt::format("vilma/{}/{}", part, column);
  const Measurement* one = find(by_id, id);
  SNELLEN_CHECK(one != nullptr);
  VilmaShare share;
  share.share = one->value;
  share.num_ties = one->ties;
  // Credits are quarters at the finest: two halves multiplied.
  share.num_correct = std::round(4.0 * one->value * static_cast<double>(one->n)) / 4.0;
  if (one->low && one->high) share.interval = {*one->low, *one->high, one->interval};
  const Measurement* chance = find(by_id, id + "_chance");
  share.chance = one->chance ? *one->chance : chance != nullptr ? chance->value : 0.0;
  return share;
}

VilmaScores scores_of(const ById& by_id, const std::string& part) {
  VilmaScores scores;
  const Measurement* one = find(by_id, fmt::format("vilma/{}/PT", part));
  SNELLEN_CHECK(one != nullptr);
  scores.n = one->n;
  scores.p = share_of(by_id, part, "P");
  scores.t = share_of(by_id, part, "T");
  scores.pt = share_of(by_id, part, "PT");
  return scores;
}

// The tasks of the rows, published order first.
std::vector<std::string> tasks_of(std::span<const PlacedRow> rows) {
  std::vector<std::string> tasks;
  auto add = [&](std::string_view task) {
    const bool occurs = std::any_of(
        rows.begin(), rows.end(), [&](const PlacedRow& row) { return row.place.task == task; });
    if (occurs && std::find(tasks.begin(), tasks.end(), task) == tasks.end()) {
      tasks.emplace_back(task);
    }
  };
  for (std::string_view task : metrics::kVilmaTasks) add(task);
  for (const PlacedRow& row : rows) add(row.place.task);
  return tasks;
}

}  // namespace

std::vector<PlacedRow> placed_rows(const std::filesystem::path& suite,
                                   const std::filesystem::path& annotation_folder) {
  std::vector<PlacedRow> rows;
  for (const SuiteRow& row : read_suite_rows(suite, annotation_folder)) {
    EvaluatedItems none;
    for (const auto& file : row.annotations) none.places.push_back(place_of_file(file));
    rows.push_back({row.name, row.annotation, place_of(row, none)});
  }
  return rows;
}

metrics::VilmaSuite suite_of(std::span<const PlacedRow> rows,
                             std::span<const Measurement> measurements) {
  ById by_id;
  for (const Measurement& one : measurements) by_id.emplace(one.id, &one);
  metrics::VilmaSuite suite;
  for (const PlacedRow& row : rows) {
    suite.subtasks.push_back({row.name,
                              row.annotation,
                              row.place.task,
                              row.place.subtask,
                              scores_of(by_id, row.place.subtask)});
  }
  for (const std::string& task : tasks_of(rows)) {
    suite.tasks.push_back({task, scores_of(by_id, task_id(task))});
  }
  suite.average = suite.tasks.size() == 1 ? suite.tasks[0].scores : scores_of(by_id, "average");
  suite.is_complete = std::equal(
      suite.tasks.begin(),
      suite.tasks.end(),
      metrics::kVilmaTasks.begin(),
      metrics::kVilmaTasks.end(),
      [](const metrics::VilmaTask& task, std::string_view name) { return task.name == name; });
  return suite;
}

}  // namespace snellen::tasks::vilma
