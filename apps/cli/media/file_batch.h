// SPDX-License-Identifier: Apache-2.0
// One piece of work per file, on several threads, reported in the order the files were named.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "apps/cli/verb.h"
#include "snellen/base/error.h"

namespace snellen::cli {

// What came of one file: for people, and for --json.
struct FileDone {
  std::string line;
  nlohmann::ordered_json json;
};

// Runs `work` for 0..count-1. Prints a line for each (with --json one array of objects); what
// failed goes to stderr (into its object). Gives 0, or 4 when some failed; throws the first error
// when all did. The work returns an Error for a bad file and throws when the others cannot go on
// either.
int run_file_batch(const Context& context,
                   size_t count,
                   unsigned num_threads,
                   const std::function<Result<FileDone>(size_t)>& work);

// 0: one per core, never more than there are files.
unsigned batch_threads(unsigned asked, size_t count);

// --threads, --num-workers.
template <typename S>
config::Option threads_option(unsigned S::*member) {
  return config::option(member, "threads", "number of threads; 0: one per core")
      .alias("num-workers")
      .range(0, 1024);
}

}  // namespace snellen::cli
