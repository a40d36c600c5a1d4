// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "snellen/run/settings.h"
#include "snellen/tasks/task.h"

namespace snellen::run {

struct OpenTask {
  std::string name;
  const tasks::TaskFacts* facts = nullptr;  // of its catalogue entry
  std::unique_ptr<tasks::Task> task;
  std::vector<tasks::Part> parts;
};

// One item of the plan.
struct PlannedItem {
  uint32_t task = 0;
  uint32_t part = 0;
  uint64_t position = 0;
};

// Which items a run scores, in which order: tasks, parts and positions in turn, the first `limit`
// of each part. A pure function of the inputs and settings; holds no item, so its size is the
// number of parts.
class Plan {
 public:
  Plan(const std::vector<OpenTask>& tasks, uint64_t limit);

  uint64_t size() const { return size_; }
  PlannedItem operator[](uint64_t index) const;

 private:
  struct Stretch {
    uint32_t task;
    uint32_t part;
    uint64_t first;  // position of its first item
    uint64_t count;
  };

  std::vector<Stretch> stretches_;
  uint64_t size_ = 0;
};

// Whose an item is. Shards split what is shown: items that begin with the same picture or video,
// whatever is done to it, stay together, so that few are read by two shards. An item that shows
// nothing goes by its id, a bad record (null) by its position.
bool is_of_shard(const Shard& shard, const tasks::Item* item, uint64_t position);
// The number behind it: the same for items that stay together.
uint64_t place_of(const tasks::Item* item, uint64_t position);

}  // namespace snellen::run
