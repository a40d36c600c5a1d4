// SPDX-License-Identifier: Apache-2.0
// What the items of a plan ask of a model.
#pragma once

#include <cstdint>
#include <forward_list>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "snellen/models/model.h"
#include "snellen/run/plan.h"

namespace snellen::run {

// The scores that an item wants, as a model is asked for them. They point into the item.
class ItemCells {
 public:
  ItemCells() = default;
  explicit ItemCells(const tasks::Item& item);
  // What the model is asked; this object and the item must outlive it.
  models::Ask ask(uint32_t task, const tasks::Item& item) const;
  size_t size() const { return cells_.size(); }

 private:
  std::forward_list<std::string> names_;  // of visuals that several questions show
  std::vector<models::Cell> cells_;
};

// Items of a plan, by number 0 .. count - 1; `at` (called from many threads) gives none for one
// that is left out.
struct ItemList {
  uint64_t count = 0;
  std::function<std::optional<PlannedItem>(uint64_t index)> at;
};

struct AskingOptions {
  unsigned num_threads = 1;  // items are made on several, and visited in order on the caller's
  std::function<bool()> is_stopped = [] { return false; };
};

// Every ask of the items, in their order; bad records are left out. What is given must outlive the
// source.
models::AskSource asks_of(const std::vector<OpenTask>& tasks,
                          ItemList items,
                          const AskingOptions& options = {});

}  // namespace snellen::run
