// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/plan.h"

#include <algorithm>

#include "snellen/base/hash.h"
#include "snellen/base/splitmix.h"

namespace snellen::run {

Plan::Plan(const std::vector<OpenTask>& tasks, uint64_t limit) {
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    if (tasks[task].made_from) continue;
    std::vector<uint32_t> together = {task};
    for (uint32_t other = 0; other < tasks.size(); ++other) {
      if (tasks[other].made_from == task && !tasks[other].comes_last) together.push_back(other);
    }
    add(std::move(together), tasks[task].parts, limit);
  }
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    if (tasks[task].made_from && tasks[task].comes_last) add({task}, tasks[task].parts, limit);
  }
}

void Plan::add(std::vector<uint32_t> tasks, const std::vector<tasks::Part>& parts, uint64_t limit) {
  uint64_t start = 0;
  for (uint32_t part = 0; part < parts.size(); ++part) {
    const uint64_t all = parts[part].num_items;
    const uint64_t count = limit > 0 ? std::min(limit, all) : all;
    if (count > 0) stretches_.push_back({tasks, part, start, count});
    size_ += count * tasks.size();
    start += all;
  }
}

PlannedItem Plan::operator[](uint64_t index) const {
  for (const Stretch& stretch : stretches_) {
    const uint64_t num_tasks = stretch.tasks.size();
    if (index < stretch.count * num_tasks)
      return {stretch.tasks[index % num_tasks], stretch.part, stretch.first + index / num_tasks};
    index -= stretch.count * num_tasks;
  }
  throw Error{ErrorCode::kInternal, "an item beyond the plan was asked for"};
}

uint64_t place_of(const tasks::Item* item, uint64_t position) {
  if (!item) return position;
  const std::string_view shown =
      item->visuals.empty() ? item->id : item->visuals.front().shard_key();
  // Mixed once more: the low bits of the plain hash follow the last characters.
  return splitmix64(fnv1a64(shown));
}

bool is_of_shard(const Shard& shard, const tasks::Item* item, uint64_t position) {
  return shard.count <= 1 || place_of(item, position) % shard.count == shard.index;
}

}  // namespace snellen::run
