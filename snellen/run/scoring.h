// SPDX-License-Identifier: Apache-2.0
// Items in, samples out: what every process of a run does, however its items came to it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "snellen/models/model.h"
#include "snellen/run/plan.h"
#include "snellen/store/samples.h"

namespace snellen::run {

// Items of a plan, by number 0 .. count - 1; `at` (called from many threads) gives none for one
// that is left out.
struct ItemList {
  uint64_t count = 0;
  std::function<std::optional<PlannedItem>(uint64_t index)> at;
};

struct ScoringOptions {
  uint64_t batch_size = 1;
  unsigned num_threads = 1;
  std::function<bool()> is_stopped = {};  // asked from many threads
};

// How an item is called in samples.db: its id, or its place when its record is bad.
std::string name_of_item(const OpenTask& task,
                         const PlannedItem& planned,
                         const Result<tasks::Item>& item);

// What a model is asked about an item of the task with this number; the item must outlive it.
models::Ask ask_of(uint32_t task, const tasks::Item& item, uint32_t lane = 0);

// Adds what the items ask to the plan, in their order; bad records are left out.
void plan_items(const ItemList& items,
                const std::vector<OpenTask>& tasks,
                models::AskPlan& plan,
                const ScoringOptions& options);

// Tells the model what will be asked, then scores the items on several threads; `take` gets their
// samples in order, on the calling thread. Whatever is wrong
// with an item becomes part of its sample. Returns early when stopped.
void score_items(const ItemList& items,
                 const std::vector<OpenTask>& tasks,
                 models::Model& model,
                 const ScoringOptions& options,
                 const std::function<void(std::vector<store::Sample>&&)>& take);

}  // namespace snellen::run
