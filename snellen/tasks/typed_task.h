// SPDX-License-Identifier: Apache-2.0
// A task whose items carry a payload of their own type: what the annotation says beyond what is
// asked, and what judge() needs. The run sees items without knowing it.
#pragma once

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "snellen/tasks/task.h"

namespace snellen::tasks {

template <typename Payload>
class TypedTask : public Task {
 public:
  Result<Item> item(uint64_t position) const final {
    Result<Made> result = make(position);
    if (!result) return result.error();
    Made made = std::move(result).value();
    made.item.payload = std::move(made.payload);
    return std::move(made.item);
  }

  // An error that does not say where it is names the item.
  Result<Outcome> judge(const Item& item, const questions::Scores& scores) const final {
    Result<Outcome> outcome = decide(payload_of(item), scores);
    if (outcome || !outcome.error().where().empty()) return outcome;
    return outcome.error().within(fmt::format("item {}", item.id));
  }

 protected:
  struct Made {
    Item item;
    Payload payload;
  };
  // item() and judge(), typed.
  virtual Result<Made> make(uint64_t position) const = 0;
  virtual Result<Outcome> decide(const Payload& payload, const questions::Scores& scores) const = 0;

  static const Payload& payload_of(const Item& item) {
    const auto* payload = std::any_cast<Payload>(&item.payload);
    SNELLEN_CHECK(payload != nullptr);
    return *payload;
  }
};

// The catalogue entry of a task that is made from its request alone.
template <typename T>
std::unique_ptr<TaskEntry> task_entry(TaskFacts facts) {
  class Entry final : public TaskEntry {
   public:
    explicit Entry(TaskFacts facts) : facts_(std::move(facts)) {}
    const TaskFacts& facts() const override { return facts_; }
    std::unique_ptr<Task> open(const TaskRequest& request) const override {
      return std::make_unique<T>(request);
    }

   private:
    TaskFacts facts_;
  };
  return std::make_unique<Entry>(std::move(facts));
}

}  // namespace snellen::tasks
