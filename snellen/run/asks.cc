// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/asks.h"

#include <algorithm>

#include "snellen/base/ordered_pipeline.h"

namespace snellen::run {

std::vector<models::Cell> cells_of(const tasks::Item& item) {
  std::vector<models::Cell> cells;
  cells.reserve(item.asks.size());
  for (const tasks::Ask& ask : item.asks)
    cells.push_back({item.visuals[ask.visual], item.texts[ask.text]});
  return cells;
}

models::Ask ask_of(const OpenTask& task,
                   uint32_t number,
                   const tasks::Item& item,
                   std::span<const models::Cell> cells) {
  return {
      .item = item.id, .cells = cells, .task = number, .locate = [&task](std::string_view visual) {
        return task.task->locate(visual);
      }};
}

models::AskSource asks_of(const std::vector<OpenTask>& tasks,
                          ItemList items,
                          const AskingOptions& options) {
  constexpr uint64_t kItemsAStep = 256;
  struct Asked {
    uint32_t task;
    tasks::Item item;
    std::vector<models::Cell> cells;  // they point into the item, which stays where it is
    size_t num_known = 0;             // cells of an ask that brings nothing new: all that is kept
  };
  return [&tasks, items = std::move(items), options](const models::AskVisitor& visitor) {
    auto ask_for = [&](const Asked& one) {
      return ask_of(tasks[one.task], one.task, one.item, one.cells);
    };
    auto make = [&](uint64_t step) {
      std::vector<Asked> made;
      made.reserve(kItemsAStep);
      const uint64_t end = std::min(items.count, (step + 1) * kItemsAStep);
      for (uint64_t index = step * kItemsAStep; index < end; ++index) {
        const std::optional<PlannedItem> planned = items.at(index);
        if (!planned) continue;
        Result<tasks::Item> item = tasks[planned->task].task->item(planned->position);
        if (!item) continue;
        made.push_back({planned->task, std::move(item).value(), {}});
        Asked& one = made.back();
        one.cells = cells_of(one.item);
        if (visitor.is_known && !one.cells.empty() && visitor.is_known(ask_for(one)))
          one = {.task = one.task, .item = {}, .cells = {}, .num_known = one.cells.size()};
      }
      return made;
    };
    auto take = [&](std::vector<Asked>&& made) {
      for (const Asked& one : made)
        one.num_known > 0 ? visitor.pass(one.num_known) : visitor.visit(ask_for(one));
    };
    ordered_pipeline<std::vector<Asked>>((items.count + kItemsAStep - 1) / kItemsAStep,
                                         options.num_threads,
                                         make,
                                         take,
                                         options.is_stopped);
  };
}

}  // namespace snellen::run
