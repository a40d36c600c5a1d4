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
// of each part, and of those this shard's. A pure function of the inputs and settings; holds no
// item, so its size is the number of parts.
class Plan {
 public:
  Plan(const std::vector<OpenTask>& tasks, uint64_t limit, Shard shard);

  uint64_t size() const { return size_; }
  PlannedItem operator[](uint64_t index) const;

 private:
  struct Stretch {
    uint32_t task;
    uint32_t part;
    uint64_t first;  // position of this shard's first item
    uint64_t count;
  };

  std::vector<Stretch> stretches_;
  uint64_t step_;
  uint64_t size_ = 0;
};

}  // namespace snellen::run
