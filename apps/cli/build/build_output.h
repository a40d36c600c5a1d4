// SPDX-License-Identifier: Apache-2.0
// What builders share on the command line: flags, progress, and the table of counts.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "apps/cli/progress.h"
#include "apps/cli/verb.h"
#include "snellen/builders/building.h"

namespace snellen::cli {

struct BuildFlags {
  std::string out;
  std::optional<uint64_t> seed;  // 0, or the builder's own, where it is not set
  unsigned num_threads = 0;
};

// --out, --seed, --threads.
std::vector<config::Option> build_options();

// Draws each step of a builder on stderr, with its rate and the time left.
class BuildProgress {
 public:
  void show(std::string_view step, uint64_t done, uint64_t total);

 private:
  std::string step_;
  ProgressLine line_;
  std::chrono::steady_clock::time_point begin_;
};

// Threads as asked for (one per core by default); `progress` must outlive the workers.
builders::Workers workers_of(const BuildFlags& flags, BuildProgress& progress);

// Prints the counts beside the paper's, and names records that were left out on stderr. Gives the
// exit code: 4 when there were any. Throws kNothingScored when no group or item came out.
int show_build(const Context& context, const builders::BuildReport& report, const std::string& out);

}  // namespace snellen::cli
