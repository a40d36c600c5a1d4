// SPDX-License-Identifier: Apache-2.0
// What a run leaves out, and what it keeps beside its results for those who look at it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "snellen/config/options.h"

namespace snellen::run {

struct KeepingSettings {
  std::vector<std::filesystem::path> marks;  // files that name items to leave out
  double picture_mb = 200;                   // of small pictures and model inputs
  uint64_t feature_groups = 2000;            // whose features are kept for the report's map
};

std::vector<config::Option> keeping_options();

}  // namespace snellen::run
