// SPDX-License-Identifier: Apache-2.0
// What a model made of some items' pictures and texts before scores, for the map of a report.
#pragma once

#include <functional>
#include <vector>

#include "snellen/models/model.h"
#include "snellen/run/plan.h"
#include "snellen/store/run_folder.h"

namespace snellen::run {

struct FeatureRequest {
  const std::vector<OpenTask>& tasks;
  const RunSettings& settings;
  models::Model& model;  // everything it was asked before is answered
  const store::RunPaths& paths;
  uint64_t num_items;  // per task
  std::function<bool()> is_stopped;
  std::function<void(uint64_t done, uint64_t total)> on_progress;
};

// Writes RUN/features/TASK.npy and TASK.json for tasks that map any: `num_items` of its items,
// evenly spread over the task. Rows stand item by item, one per kind of the JSON file. Made once;
// same run, same bytes on the CPU. Shards of a run have none. False when it was stopped.
bool write_features(const FeatureRequest& request);

}  // namespace snellen::run
