// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "snellen/tasks/task.h"

namespace snellen::tasks::visdial_rank {

struct RankSettings {
  std::filesystem::path dialogs;
  std::filesystem::path annotations;
  std::filesystem::path ranks;
  bool has_threshold = false;
  uint32_t num_choices = 0;  // that a chat model chooses among; 0: candidates are ranked
};

config::Block settings_block();
// Throws kUsage for settings that do not fit each other.
RankSettings settings_of(const config::Options& options);

// A chat model chooses among the recorded answer and others (choice_task.cc).
std::unique_ptr<Task> open_choice(const TaskRequest& request);

}  // namespace snellen::tasks::visdial_rank
