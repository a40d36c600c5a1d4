// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "snellen/run/engine/engine.h"

namespace snellen::run {

struct MergeRequest {
  std::vector<std::filesystem::path> shards;
  std::filesystem::path output;  // where the run folder goes
  const Catalogue& catalogue;
  std::string command;
  bool overwrites = false;  // a run that stands where the joined one goes
};

// Joins the shards of one run into a run folder that has the same results, files and samples as an
// unsharded run. The folder appears whole or not at all. Throws kInvalidInput when shards are
// missing, twice, unfinished, damaged or of different runs, naming which, and kUsage when something
// stands where the folder goes.
RunSummary merge_shards(const MergeRequest& request);

}  // namespace snellen::run
