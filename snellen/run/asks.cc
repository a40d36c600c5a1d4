// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/asks.h"

#include <algorithm>

#include "snellen/base/ordered_pipeline.h"

namespace snellen::run {
namespace {

constexpr char kApart = '#';

}  // namespace

// Scores are shares among the cells of one visual: questions about the same visual name it apart.
ItemCells::ItemCells(const tasks::Item& item) {
  size_t count = 0;
  for (const questions::Question& question : item.questions) count += question.texts.size();
  cells_.resize(count);
  size_t next = 0;
  for (const questions::Question& question : item.questions) {
    std::string_view visual = item.visuals[question.visual].name;
    if (!question.name.empty())
      visual = names_.emplace_front(std::string(visual) + kApart + question.name);
    for (size_t i = 0; i < question.texts.size(); ++i) {
      const size_t place = question.places.empty() ? next++ : question.places[i];
      const questions::Text& text = item.texts[question.texts[i]];
      SNELLEN_CHECK(place < count && text.more_prompts.empty());
      cells_[place] = {visual, text.prompt};
    }
  }
}

models::Ask ItemCells::ask(uint32_t task, const tasks::Item& item) const {
  auto locate = [&item](std::string_view name) -> Result<media::VisualPlace> {
    for (const questions::Visual& visual : item.visuals) {
      if (!name.starts_with(visual.name)) continue;
      const std::string_view rest = name.substr(visual.name.size());
      if (rest.empty() || rest.front() == kApart) return visual.place();
    }
    throw Error{ErrorCode::kInternal, "a visual that the item does not show was asked for"};
  };
  return {.item = item.id, .cells = cells_, .task = task, .locate = locate};
}

models::AskSource asks_of(const std::vector<OpenTask>& tasks,
                          ItemList items,
                          const AskingOptions& options) {
  constexpr uint64_t kItemsAStep = 256;
  struct Asked {
    uint32_t task;
    tasks::Item item;
    ItemCells cells;
    size_t num_known = 0;  // cells of an ask that brings nothing new: all that is kept
  };
  return [&tasks, items = std::move(items), options](const models::AskVisitor& visitor) {
    auto ask_for = [&](const Asked& one) { return one.cells.ask(one.task, one.item); };
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
        Asked& one = made.back();  // it stays where it is: its cells point into its item
        one.cells = ItemCells(one.item);
        if (visitor.is_known && one.cells.size() > 0 && visitor.is_known(ask_for(one)))
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
