// SPDX-License-Identifier: Apache-2.0
// The files of the papers in a run folder, their logs and metadata.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/run/ending/ending.h"

namespace snellen::run {

struct SeedFiles {
  uint32_t task = 0;
  tasks::SeedReport report;
  std::filesystem::path log;  // relative to the run folder
};

// Those of all tasks, with their logs.
std::vector<SeedFiles> write_seed_files(const Ending& ending, store::Samples& samples);

// run_meta.json beside them; `all` are the metrics of the run. Gives its name in the run folder.
std::filesystem::path write_run_meta(const Ending& ending,
                                     store::Samples& samples,
                                     const SeedFiles& files,
                                     std::span<const metrics::Measurement> all);

}  // namespace snellen::run
