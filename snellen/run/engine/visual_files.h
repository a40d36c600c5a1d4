// SPDX-License-Identifier: Apache-2.0
// The files that a run's items show: what they hold is recorded, and compared when a run goes on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "snellen/run/plan.h"
#include "snellen/store/samples.h"

namespace snellen::run {

// Hashes the files that models looked at and whose content nobody has recorded yet, of any size.
// Files that are gone or changed meanwhile stay without a hash.
void hash_shown_files(store::Samples& samples, unsigned num_threads);

struct ShownFilesRequest {
  const Plan& plan;
  const std::vector<OpenTask>& tasks;
  const std::vector<std::vector<bool>>& done;  // by task and position
  unsigned num_threads = 1;
};
// Throws kUsage, naming the first, when files that recorded items show are not what they were. What
// counts is the content, wherever a file lies now and whatever its time; where no content was
// recorded yet, size and time.
void expect_same_files(const ShownFilesRequest& request, store::Samples& samples);

// Whether the files of a finished run hold what they held.
struct ShownFilesReport {
  uint64_t num_checked = 0;
  uint64_t num_gone = 0;
  std::vector<std::string> changed = {};  // their paths
};
ShownFilesReport check_shown_files(store::Samples& samples, unsigned num_threads);

}  // namespace snellen::run
