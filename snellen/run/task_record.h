// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/run/plan.h"
#include "snellen/store/run_folder.h"
#include "snellen/store/samples.h"

namespace snellen::run {

// Opens the tasks of a run, in the order they were named. Those of a file name themselves: their
// names go to settings.titles. Throws kUsage when two have one name.
std::vector<OpenTask> open_tasks(const Catalogue& catalogue,
                                 const config::Options& options,
                                 RunSettings& settings);

// What samples.db keeps of the tasks, so that metrics can be recomputed from it alone.
std::vector<store::TaskRecord> task_records(const std::vector<OpenTask>& tasks);

// Adds counts, the digest of the samples, the time and the verdict.
void finish_stamp(nlohmann::ordered_json& stamp,
                  const std::string& verdict,
                  store::Samples& samples,
                  const std::string& digest,
                  double seconds);

// The error of a run in which not one item was scored: the first reason, and how many there are.
Error nothing_scored(const std::vector<store::Sample>& failures,
                     uint64_t total,
                     const store::RunPaths& paths);

}  // namespace snellen::run
