// SPDX-License-Identifier: Apache-2.0
// For tests: a task that reads results or asks a model, run without a store.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks {

class InMemoryRun : public OutcomeReader {
 public:
  using Flags = std::vector<std::pair<std::string, std::string>>;

  // Writes `answers` to a file of its own and scores it.
  InMemoryRun(const TaskEntry& entry,
              const std::string& answers,
              const Flags& flags = {},
              bool is_compat = false)
      : options_(entry.facts().settings) {
    std::filesystem::path path =
        folder() / testing::UnitTest::GetInstance()->current_test_info()->name();
    write_text_file(path, answers);
    options_.set("answers", path.string(), "test");
    for (const auto& [name, value] : flags) options_.set(name, value, "test");
    task_ = entry.open({.options = options_, .model = "m", .is_compat = is_compat});
    add_all();
  }

  // What a model says to an item, in answers or in scores.
  struct Model {
    bool answers = true;
    std::function<questions::Scores(const Item& item)> say;
  };
  InMemoryRun(const TaskEntry& entry, Model model, const Flags& flags = {}, bool is_compat = false)
      : options_(entry.facts().settings), model_(std::move(model)) {
    options_.add(config::Block(SharedSettings{}, shared_options()));
    for (const auto& [name, value] : flags) options_.set(name, value, "test");
    task_ = entry.open(
        {.options = options_, .model = "m", .is_compat = is_compat, .can_answer = model_.answers});
    add_all();
  }

  static std::filesystem::path folder() { return testing::TempDir(); }

  void for_each_scored(std::string_view part,
                       const std::function<void(const StoredItem&)>& visit) override {
    for (const StoredItem& item : items[std::string(part)]) visit(item);
  }

  std::map<std::string, metrics::Measurement> pooled(uint64_t bootstrap = 0) {
    std::map<std::string, metrics::Measurement> by_id;
    for (metrics::Measurement& one : task_->pooled(*this, {.bootstrap = bootstrap}))
      by_id.emplace(one.id, one);
    return by_id;
  }

  std::string seed_file(const std::filesystem::path& relative, bool is_compat = false) {
    std::filesystem::path out = folder() / "seed";
    task_->write_seed_files({.folder = out,
                             .model = "m",
                             .tag = "m",
                             .is_compat = is_compat,
                             .wants_compat_names = false},
                            *this);
    return read_text_file(out / relative);
  }

  const Task& task() const { return *task_; }

  std::map<std::string, std::vector<StoredItem>> items;  // by part
  std::vector<Item> asked;                               // as they were made
  std::vector<Error> errors;

 private:
  void add_all() {
    uint64_t position = 0;
    for (const Part& part : task_->parts()) {
      for (uint64_t i = 0; i < part.num_items; ++i, ++position) add(part.name, position);
    }
  }

  void add(const std::string& part, uint64_t position) {
    Result<Item> item = task_->item(position);
    if (!item) {
      errors.push_back(item.error());
      return;
    }
    Result<Outcome> outcome =
        task_->judge(*item, model_.say ? model_.say(*item) : questions::Scores{});
    if (!outcome) {
      errors.push_back(outcome.error());
      return;
    }
    items[part].push_back({position, item->id, item->clusters, item->category, *outcome});
    asked.push_back(std::move(item).value());
  }

  config::Options options_;
  Model model_ = {};
  std::unique_ptr<Task> task_;
};

}  // namespace snellen::tasks
