// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/cli/run/run_output.h"

namespace snellen::cli {

// What `score vilma` takes beside the task's own flags: merging results files.
struct VilmaFlags {
  std::vector<std::string> merge;
  std::string merged;       // where the merged file goes
  std::string on_conflict;  // "last" (default) or "error"
};
std::shared_ptr<VilmaFlags> add_vilma_flags(CLI::App& verb);

// Scores ViLMA results files (or merges them) and prints a table, JSON, or with --compat exactly
// what the reference prints. A run folder is written only when --output is given. Gives the exit
// code.
int score_vilma(Context& context,
                const config::Options& options,
                const VilmaFlags& flags,
                const ShowOptions& show);

}  // namespace snellen::cli
