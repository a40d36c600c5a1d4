// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/open_tasks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace snellen::run {

namespace {

// A task that names itself may not take the name of another: metrics are told apart by it.
std::string free_name(const tasks::Task& task,
                      const Catalogue& catalogue,
                      const std::vector<OpenTask>& others) {
  std::string name = task.name();
  bool is_taken = std::any_of(
      others.begin(), others.end(), [&](const OpenTask& other) { return other.name == name; });
  for (const auto& entry : catalogue.tasks) is_taken = is_taken || entry->facts().name == name;
  if (!is_taken) return name;
  throw Error{ErrorCode::kUsage,
              fmt::format("the name '{}' is taken by another task", name),
              task.inputs().front().string(),
              "give the file another \"name\" in its first line"};
}

// How much the items of a task show and ask, as the first of every part tells.
store::TaskRecord::Shape shape_of(const OpenTask& open) {
  store::TaskRecord::Shape shape;
  uint64_t first = 0;
  for (const tasks::Part& part : open.parts) {
    const uint64_t position = std::exchange(first, first + part.num_items);
    if (part.num_items == 0) continue;
    Result<tasks::Item> item = open.task->item(position);
    if (!item) continue;
    shape.num_visuals = std::max(shape.num_visuals, item->visuals.size());
    shape.num_texts = std::max(shape.num_texts, item->texts.size());
    shape.num_scores = std::max(shape.num_scores, questions::pairs_of(item->questions).size());
  }
  return shape;
}

}  // namespace

std::vector<OpenTask> open_tasks(const Catalogue& catalogue,
                                 const config::Options& options,
                                 RunSettings& settings) {
  std::vector<OpenTask> tasks;
  for (const NamedTask& named : named_tasks(settings.tasks)) {
    const tasks::TaskEntry& entry = catalogue.task(named.name);
    OpenTask open{.name = entry.facts().name,
                  .facts = &entry.facts(),
                  .task = entry.open({.options = options,
                                      .model = settings.name,
                                      .is_compat = settings.is_compat,
                                      .parts = named.parts,
                                      .argument = task_argument(named.name),
                                      .metrics = catalogue.metrics}),
                  .parts = {}};
    if (!open.task->name().empty()) {
      open.name = free_name(*open.task, catalogue, tasks);
      std::replace(settings.titles.begin(), settings.titles.end(), named.name, open.name);
    }
    open.parts = open.task->parts();
    tasks.push_back(std::move(open));
  }
  return tasks;
}

std::vector<store::TaskRecord> task_records(const std::vector<OpenTask>& tasks) {
  std::vector<store::TaskRecord> records;
  for (const OpenTask& open : tasks) {
    store::TaskRecord record{
        .name = open.name, .parts = {}, .columns = {}, .shape = shape_of(open)};
    for (const tasks::Part& part : open.parts) record.parts.push_back({part.name, part.num_items});
    for (const tasks::Column& column : open.task->columns()) {
      record.columns.push_back({.name = column.name,
                                .is_share = column.is_share,
                                .higher_is_better = column.higher_is_better,
                                .chance = column.chance,
                                .has_breakdown = column.has_breakdown});
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace snellen::run
