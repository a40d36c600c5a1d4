// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "snellen/run/engine.h"

namespace snellen::run {

// Joins the shards of one run into a run folder that has the same results, files and samples as an
// unsharded run. Throws kInvalidInput when shards are missing, twice, unfinished, or of different
// runs, naming which.
RunSummary merge_shards(const std::vector<std::filesystem::path>& shards,
                        const std::filesystem::path& output,
                        const Catalogue& catalogue,
                        const std::string& command);

}  // namespace snellen::run
