// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/plan.h"

#include <algorithm>

namespace snellen::run {

Plan::Plan(const std::vector<OpenTask>& tasks, uint64_t limit, Shard shard) : step_(shard.count) {
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    uint64_t start = 0;
    for (uint32_t part = 0; part < tasks[task].parts.size(); ++part) {
      uint64_t all = tasks[task].parts[part].num_items;
      uint64_t taken = limit > 0 ? std::min(limit, all) : all;
      // The first position in [start, start + taken) that is this shard's.
      uint64_t first = start + (shard.index + shard.count - start % shard.count) % shard.count;
      uint64_t count =
          first < start + taken ? (start + taken - first + shard.count - 1) / shard.count : 0;
      if (count > 0) stretches_.push_back({task, part, first, count});
      size_ += count;
      start += all;
    }
  }
}

PlannedItem Plan::operator[](uint64_t index) const {
  for (const Stretch& stretch : stretches_) {
    if (index < stretch.count) return {stretch.task, stretch.part, stretch.first + index * step_};
    index -= stretch.count;
  }
  throw Error{ErrorCode::kInternal, "an item beyond the plan was asked for"};
}

}  // namespace snellen::run
