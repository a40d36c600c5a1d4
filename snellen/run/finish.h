// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/run/measure.h"
#include "snellen/run/plan.h"
#include "snellen/run/settings.h"
#include "snellen/store/results.h"
#include "snellen/store/run_folder.h"
#include "snellen/store/samples.h"

namespace snellen::run {

struct FinishRequest {
  const store::RunPaths& paths;
  const std::vector<OpenTask>& tasks;
  const RunSettings& settings;
  std::string command;
  double seconds = 0;
};

// Everything a run folder holds beside samples.db: results.json, the files of the papers, their
// logs and metadata.
struct Finished {
  store::Results results;
  std::vector<std::filesystem::path>
      files;           // what must be the same bytes in every run; relative to the run folder
  std::string digest;  // of the samples
};

// The metrics of a run: the means of the columns, and what the tasks pool; without those of tasks
// that are left out.
std::vector<metrics::Measurement> all_metrics(const std::vector<OpenTask>& tasks,
                                              const RunSettings& settings,
                                              store::Samples& samples,
                                              const std::vector<bool>& is_left_out = {});

// results.json of the tasks that have ended, while others go on.
void write_results_so_far(const FinishRequest& request,
                          const std::vector<bool>& is_left_out,
                          store::Samples& samples);

// Pure function of samples.db and the settings, but for logs and metadata, which hold times.
Finished write_results(const FinishRequest& request, store::Samples& samples);

}  // namespace snellen::run
