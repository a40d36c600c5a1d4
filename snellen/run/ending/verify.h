// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/run/settings.h"

namespace snellen::run {

struct Verification {
  int num_checks = 0;
  std::vector<std::string> differences;  // empty: the folder is what its stamp says
  std::vector<std::string> unchecked;    // what could not be compared, and why
};

// Recomputes the hashes of the files and inputs, the digest of the samples, and every metric from
// samples.db, and says what differs from run.json and results.json. Throws kNotFound when the
// folder holds no run. Metrics that a task pools need its annotations; when those are gone they are
// listed as unchecked.
Verification verify_run(const std::filesystem::path& folder, const Catalogue& catalogue);

}  // namespace snellen::run
