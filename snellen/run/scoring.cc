// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/scoring.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "snellen/base/ordered_pipeline.h"

namespace snellen::run {
namespace {

using Clock = std::chrono::steady_clock;

uint64_t micros_since(Clock::time_point start) {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start).count());
}

// What an item shows and asks, taken from it: of its scores all, or those that are stored.
void add_shown(tasks::Item&& item,
               const std::optional<std::vector<uint32_t>>& stored,
               bool is_looked_at,
               const std::vector<std::optional<questions::FileRead>>& files,
               store::Sample& sample) {
  sample.clusters = std::move(item.clusters);
  sample.category = std::move(item.category);
  sample.visuals.reserve(item.visuals.size());
  for (size_t i = 0; i < item.visuals.size(); ++i) {
    const auto* place = std::get_if<media::VisualPlace>(&item.visuals[i].source);
    store::ShownVisual& shown = sample.visuals.emplace_back(
        store::ShownVisual{.name = std::move(item.visuals[i].name),
                           .path = place ? place->path.native() : std::string(),
                           .is_looked_at = is_looked_at});
    if (i < files.size() && files[i])
      shown.read = {.size = files[i]->size, .mtime_ns = files[i]->mtime_ns, .key = files[i]->key};
  }
  const std::vector<questions::Pair> pairs = questions::pairs_of(item.questions);
  if (!stored) {
    for (size_t i = 0; i < item.texts.size(); ++i)
      sample.texts.push_back(item.texts.take_prompt(i));
    for (const questions::Pair& pair : pairs) sample.pairs.push_back({pair.visual, pair.text});
    return;
  }
  const std::vector<double> all = std::exchange(sample.scores, {});
  for (const uint32_t place : *stored) {
    sample.scores.push_back(all.at(place));
    sample.pairs.push_back({pairs.at(place).visual, static_cast<uint32_t>(sample.texts.size())});
    sample.texts.push_back(item.texts[pairs[place].text].prompt);
  }
}

size_t num_answers(std::span<const questions::Question> asked) {
  return static_cast<size_t>(std::ranges::count(
      asked, questions::Wants::kAnswer, [](const questions::Question& one) { return one.wants; }));
}

// What a model says beside its scores is stored with the item's own values.
void put_more(const questions::Scores& scores, tasks::NamedValues& named) {
  if (!scores.masses.empty()) named.put("mass", scores.masses);
  std::vector<std::string> reasons;
  for (const questions::AnswerFacts& facts : scores.answer_facts)
    reasons.push_back(facts.is_refused ? "refusal" : facts.finish_reason);
  if (!reasons.empty()) named.put("finish_reason", std::move(reasons));
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
    if (made) {
      // Of a list that items share none are stored without a score.
      const bool has_own = !made->texts.shared();
      add_shown(std::move(made).value(),
                has_own ? std::nullopt : std::optional(std::vector<uint32_t>{}),
                model.looks(),
                {},
                sample);
    }
    sample.micros = micros_since(start);
    return std::move(sample);
  };
  if (!made) return fail(made.error());
  const tasks::Item& item = *made;
  Result<questions::Scores> scores = model.score(ask_of(planned.task, item, task.lane));
  if (!scores) return fail(scores.error());
  if (const size_t wanted = num_answers(item.questions); wanted > scores->answers.size())
    return fail(Error{ErrorCode::kInvalidInput,
                      "this model gives scores and no answers",
                      item.id,
                      "take a model that answers, for example --model openai:NAME"});
  Result<tasks::Outcome> judged = task.task->judge(item, *scores);
  if (!judged) return fail(judged.error());
  tasks::Outcome outcome = std::move(judged).value();
  questions::Scores given = std::move(scores).value();
  put_more(given, outcome.named);
  sample.scores = std::move(given.values);
  sample.answers = std::move(given.answers);
  sample.values = outcome.values;
  sample.ties = outcome.tied_columns;
  sample.is_correct = outcome.is_correct;
  sample.margin = outcome.margin;
  if (!outcome.named.empty())
    sample.detail = store::Detail::of(outcome.named.object(), outcome.named.style());
  add_shown(std::move(made).value(), outcome.stored_scores, model.looks(), given.files, sample);
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

models::Ask ask_of(uint32_t task, const tasks::Item& item, uint32_t lane) {
  return {.task = task,
          .lane = lane,
          .item = item.id,
          .visuals = item.visuals,
          .texts = &item.texts,
          .questions = item.questions};
}

void plan_items(const ItemList& items,
                const std::vector<OpenTask>& tasks,
                models::AskPlan& plan,
                const ScoringOptions& options) {
  constexpr uint64_t kItemsPerStep = 256;
  struct Asked {
    uint32_t task;
    tasks::Item item;
    size_t num_known = 0;  // scores of an item that brings nothing new: all that is kept
  };
  auto make = [&](uint64_t step) {
    std::vector<Asked> made;
    made.reserve(kItemsPerStep);
    const uint64_t end = std::min(items.count, (step + 1) * kItemsPerStep);
    for (uint64_t index = step * kItemsPerStep; index < end; ++index) {
      const std::optional<PlannedItem> planned = items.at(index);
      if (!planned) continue;
      Result<tasks::Item> item = tasks[planned->task].task->item(planned->position);
      if (!item) continue;
      const models::Ask ask = ask_of(planned->task, *item, tasks[planned->task].lane);
      const size_t num_scores = ask.num_scores();
      if (num_scores > 0 && plan.knows(ask)) {
        made.push_back({planned->task, {}, num_scores});
      } else {
        made.push_back({planned->task, std::move(item).value()});
      }
    }
    return made;
  };
  auto take = [&](std::vector<Asked>&& made) {
    for (const Asked& one : made)
      one.num_known > 0 ? plan.add_known(one.num_known)
                        : plan.add(ask_of(one.task, one.item, tasks[one.task].lane));
  };
  ordered_pipeline<std::vector<Asked>>(
      (items.count + kItemsPerStep - 1) / kItemsPerStep, options.num_threads, make, take, [&] {
        return options.is_stopped && options.is_stopped();
      });
}

void score_items(const ItemList& items,
                 const std::vector<OpenTask>& tasks,
                 models::Model& model,
                 const ScoringOptions& options,
                 const std::function<void(std::vector<store::Sample>&&)>& take) {
  auto is_stopped = [&] { return options.is_stopped && options.is_stopped(); };
  if (models::AskPlan* plan = model.plan()) plan_items(items, tasks, *plan, options);
  model.begin(options.is_stopped);
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
