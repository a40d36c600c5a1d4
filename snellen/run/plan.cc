// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/plan.h"

#include <algorithm>

#include "snellen/base/hash.h"
#include "snellen/base/splitmix.h"

namespace snellen::run {

Plan::Plan(const std::vector<OpenTask>& tasks, uint64_t limit) {
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    uint64_t start = 0;
    for (uint32_t part = 0; part < tasks[task].parts.size(); ++part) {
      uint64_t all = tasks[task].parts[part].num_items;
      uint64_t count = limit > 0 ? std::min(limit, all) : all;
      if (count > 0) stretches_.push_back({task, part, start, count});
      size_ += count;
      start += all;
    }
  }
}

PlannedItem Plan::operator[](uint64_t index) const {
  for (const Stretch& stretch : stretches_) {
    if (index < stretch.count) return {stretch.task, stretch.part, stretch.first + index};
    index -= stretch.count;
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
