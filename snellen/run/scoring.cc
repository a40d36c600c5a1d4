// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/scoring.h"

#include <chrono>

#include <fmt/format.h>

#include "snellen/base/ordered_pipeline.h"

namespace snellen::run {
namespace {

using Clock = std::chrono::steady_clock;

uint64_t micros_since(Clock::time_point start) {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start).count());
}

// Scores one item and says what it came to; whatever is wrong with it becomes part of the sample.
store::Sample score_item(const OpenTask& task,
                         const PlannedItem& planned,
                         const models::Model& model) {
  Clock::time_point start = Clock::now();
  Result<tasks::Item> made = task.task->item(planned.position);
  store::Sample sample{.task = planned.task,
                       .position = planned.position,
                       .part = planned.part,
                       .item = name_of_item(task, planned, made),
                       .cluster = {},
                       .category = {}};
  auto fail = [&](const Error& error, store::SampleStatus status) {
    sample.status = status;
    sample.error = error;
    sample.micros = micros_since(start);
    return sample;
  };
  if (!made) return fail(made.error(), store::SampleStatus::kFailed);
  tasks::Item item = std::move(made).value();
  if (!item.clusters.empty()) sample.cluster = item.clusters.front();
  sample.category = item.category;
  const ItemCells cells(item);
  const models::Ask ask = cells.ask(planned.task, item);
  Result<std::vector<double>> values = model.score(ask);
  if (!values) {
    bool is_absent = values.error().code() == ErrorCode::kNotFound;
    return fail(values.error(),
                is_absent ? store::SampleStatus::kSkipped : store::SampleStatus::kFailed);
  }
  models::Shown shown = model.shown(ask);
  questions::Scores scores{
      .values = std::move(values).value(), .kind = shown.kind, .frames = std::move(shown.frames)};
  Result<tasks::Outcome> outcome = task.task->judge(item, scores);
  if (!outcome) {
    bool is_absent = outcome.error().code() == ErrorCode::kNotFound;
    return fail(outcome.error(),
                is_absent ? store::SampleStatus::kSkipped : store::SampleStatus::kFailed);
  }
  sample.scores = std::move(scores.values);
  sample.values = outcome->values;
  sample.ties = outcome->tied_columns;
  sample.is_correct = outcome->is_correct;
  sample.margin = outcome->margin;
  sample.detail = outcome->named.to_json();
  sample.micros = micros_since(start);
  return sample;
}

}  // namespace

std::string name_of_item(const OpenTask& task,
                         const PlannedItem& planned,
                         const Result<tasks::Item>& item) {
  if (item && !item->id.empty()) return item->id;
  return fmt::format("{}@{}", task.parts[planned.part].name, planned.position);
}

template <typename Row>
void score_items(const ItemList& items,
                 const std::vector<OpenTask>& tasks,
                 models::Model& model,
                 const ScoringOptions& options,
                 const std::function<void(std::vector<Row>&&)>& take) {
  auto is_stopped = [&] { return options.is_stopped && options.is_stopped(); };
  // Every ask, for models that work ahead.
  model.prepare(asks_of(tasks, items, {options.num_threads, is_stopped}), options.is_stopped);
  // A model that waits for somebody else is asked item by item, so that none waits for its batch.
  const unsigned at_once = model.asks_at_once();
  const uint64_t batch_size = at_once > 0 ? 1 : options.batch_size;
  auto make = [&](uint64_t batch) {
    std::vector<Row> rows;
    uint64_t end = std::min(items.count, (batch + 1) * batch_size);
    for (uint64_t index = batch * batch_size; index < end; ++index) {
      if (std::optional<PlannedItem> planned = items.at(index))
        rows.emplace_back(score_item(tasks[planned->task], *planned, model));
    }
    return rows;
  };
  try {
    ordered_pipeline<std::vector<Row>>((items.count + batch_size - 1) / batch_size,
                                       at_once > 0 ? at_once : options.num_threads,
                                       make,
                                       take,
                                       is_stopped);
  } catch (const models::Stopped&) {
    // What was scored before is kept; the rest is for the next process.
  }
}

template void score_items(const ItemList&,
                          const std::vector<OpenTask>&,
                          models::Model&,
                          const ScoringOptions&,
                          const std::function<void(std::vector<store::Sample>&&)>&);
template void score_items(const ItemList&,
                          const std::vector<OpenTask>&,
                          models::Model&,
                          const ScoringOptions&,
                          const std::function<void(std::vector<store::SampleRow>&&)>&);

}  // namespace snellen::run
