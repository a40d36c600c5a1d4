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

// What an item shows and asks, taken from it.
void add_shown(tasks::Item&& item, bool is_looked_at, store::Sample& sample) {
  sample.clusters = std::move(item.clusters);
  sample.category = std::move(item.category);
  sample.visuals.reserve(item.visuals.size());
  for (questions::Visual& visual : item.visuals) {
    const auto* place = std::get_if<media::VisualPlace>(&visual.source);
    sample.visuals.push_back({.name = std::move(visual.name),
                              .path = place ? place->path.native() : std::string(),
                              .is_looked_at = is_looked_at});
  }
  sample.texts.reserve(item.texts.size());
  for (questions::Text& text : item.texts) sample.texts.push_back(std::move(text.prompt));
  for (const questions::Pair& pair : questions::pairs_of(item.questions))
    sample.pairs.push_back({pair.visual, pair.text});
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
                       .item = name_of_item(task, planned, made)};
  auto fail = [&](const Error& error) {
    sample.status = made && error.code() == ErrorCode::kNotFound ? store::SampleStatus::kSkipped
                                                                 : store::SampleStatus::kFailed;
    sample.error = error;
    if (made) add_shown(std::move(made).value(), model.looks(), sample);
    sample.micros = micros_since(start);
    return std::move(sample);
  };
  if (!made) return fail(made.error());
  const tasks::Item& item = *made;
  const ItemCells cells(item);
  const models::Ask ask = cells.ask(planned.task, item);
  Result<std::vector<double>> values = model.score(ask);
  if (!values) return fail(values.error());
  models::Shown shown = model.shown(ask);
  questions::Scores scores{
      .values = std::move(values).value(), .kind = shown.kind, .frames = std::move(shown.frames)};
  Result<tasks::Outcome> outcome = task.task->judge(item, scores);
  if (!outcome) return fail(outcome.error());
  sample.scores = std::move(scores.values);
  sample.values = outcome->values;
  sample.ties = outcome->tied_columns;
  sample.is_correct = outcome->is_correct;
  sample.margin = outcome->margin;
  sample.detail = store::Detail::of_json(outcome->named.to_json());
  add_shown(std::move(made).value(), model.looks(), sample);
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

void score_items(const ItemList& items,
                 const std::vector<OpenTask>& tasks,
                 models::Model& model,
                 const ScoringOptions& options,
                 const std::function<void(std::vector<store::Sample>&&)>& take) {
  auto is_stopped = [&] { return options.is_stopped && options.is_stopped(); };
  // Every ask, for models that work ahead.
  model.prepare(asks_of(tasks, items, {options.num_threads, is_stopped}), options.is_stopped);
  // A model that waits for somebody else is asked item by item, so that none waits for its batch.
  const unsigned at_once = model.asks_at_once();
  const uint64_t batch_size = at_once > 0 ? 1 : options.batch_size;
  auto make = [&](uint64_t batch) {
    std::vector<store::Sample> rows;
    uint64_t end = std::min(items.count, (batch + 1) * batch_size);
    for (uint64_t index = batch * batch_size; index < end; ++index) {
      if (std::optional<PlannedItem> planned = items.at(index))
        rows.push_back(score_item(tasks[planned->task], *planned, model));
    }
    return rows;
  };
  try {
    ordered_pipeline<std::vector<store::Sample>>((items.count + batch_size - 1) / batch_size,
                                                 at_once > 0 ? at_once : options.num_threads,
                                                 make,
                                                 take,
                                                 is_stopped);
  } catch (const models::Stopped&) {
    // What was scored before is kept; the rest is for the next process.
  }
}

}  // namespace snellen::run
