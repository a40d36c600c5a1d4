// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/asks.h"

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
                          const Plan& plan,
                          std::function<bool(const PlannedItem&)> is_wanted) {
  return [&tasks, &plan, is_wanted = std::move(is_wanted)](
             const std::function<void(const models::Ask&)>& visit) {
    for (uint64_t index = 0; index < plan.size(); ++index) {
      PlannedItem planned = plan[index];
      if (!is_wanted(planned)) continue;
      Result<tasks::Item> item = tasks[planned.task].task->item(planned.position);
      if (!item) continue;
      std::vector<models::Cell> cells = cells_of(*item);
      visit(ask_of(tasks[planned.task], planned.task, *item, cells));
    }
  };
}

}  // namespace snellen::run
