// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "snellen/config/option.h"

namespace snellen::tasks {

// The settings of a run that tasks read beside their own. Folders as they were given.
struct SharedSettings {
  // What a task gets is a folder; what a run is given may name one for each task
  // (run/task_folders.h).
  std::filesystem::path data = ".";  // of the annotation files
  std::filesystem::path images;      // of the pictures; empty: not named
  uint64_t seed = 0;
  std::string adapter;  // `file` or `given`: scores that were made elsewhere; empty: the model's
  std::string ties;     // as --ties spells it; empty: the task's own rule
  uint32_t num_workers = 0;  // threads; 0: one per core
  // Flags of the reference scripts that change nothing, there as here.
  std::string home_dir;
  std::string checkpoint_pth;
  std::string model_weights;
};

std::vector<config::Option> shared_options();
// One sentence for each of those that was given.
std::vector<std::string> ignored_flags(const SharedSettings& settings);

}  // namespace snellen::tasks
