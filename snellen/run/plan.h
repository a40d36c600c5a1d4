// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "snellen/run/settings.h"
#include "snellen/tasks/task.h"

namespace snellen::run {

struct OpenTask {
  std::string name;
  const tasks::TaskFacts* facts = nullptr;  // of its catalogue entry
  std::shared_ptr<const tasks::Task> task;
  std::vector<tasks::Part> parts;
  // For a task whose pictures a control changes (run/control/ladder.h): the number of the task that
  // it is made from, which stands before it.
  std::optional<uint32_t> made_from = std::nullopt;
  uint32_t lane = 0;  // of its questions (models::Ask): 0 for a task as it is
  // Its items show pictures of other items: they are asked for when all of those were.
  bool comes_last = false;
};

// One item of the plan.
struct PlannedItem {
  uint32_t task = 0;
  uint32_t part = 0;
  uint64_t position = 0;
};

// Which items a run scores, in which order: tasks, parts and positions in turn, the first `limit`
// of each part. An item is followed by what controls make of it, so that its pictures are at hand.
// A pure function of the inputs and settings; holds no item, so its size is the number of parts.
class Plan {
 public:
  Plan(const std::vector<OpenTask>& tasks, uint64_t limit);

  uint64_t size() const { return size_; }
  PlannedItem operator[](uint64_t index) const;

 private:
  // Items of one part, each by all of these tasks in turn.
  struct Stretch {
    std::vector<uint32_t> tasks;
    uint32_t part;
    uint64_t first;  // position of its first item
    uint64_t count;
  };
  void add(std::vector<uint32_t> tasks, const std::vector<tasks::Part>& parts, uint64_t limit);

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
