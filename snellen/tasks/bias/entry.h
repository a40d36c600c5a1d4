// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "snellen/tasks/task.h"

namespace snellen::tasks {

// The catalogue entry of a task that `open` makes of its request.
class ChosenTaskEntry final : public TaskEntry {
 public:
  using Open = std::function<std::unique_ptr<Task>(const TaskRequest& request)>;
  ChosenTaskEntry(TaskFacts facts, Open open) : facts_(std::move(facts)), open_(std::move(open)) {}
  const TaskFacts& facts() const override { return facts_; }
  std::unique_ptr<Task> open(const TaskRequest& request) const override { return open_(request); }

 private:
  TaskFacts facts_;
  Open open_;
};

}  // namespace snellen::tasks
