// SPDX-License-Identifier: Apache-2.0
// The end of every run, scored here or merged from shards: count, measure, write, stamp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/run/engine.h"
#include "snellen/run/plan.h"
#include "snellen/store/run_folder.h"

namespace snellen::run {

struct ClosingRequest {
  const store::RunPaths& paths;
  const std::vector<OpenTask>& tasks;
  const RunSettings& settings;
  std::string command;
  std::function<double()> seconds;  // since the run began
};

// Puts counts, failures, notes and the verdict of the samples into a summary.
void sum_up(RunSummary& summary,
            const std::vector<OpenTask>& tasks,
            store::Samples& samples,
            bool is_complete);

// sum_up(), then the results and files when everything was scored, then the stamp. Throws
// kNothingScored at the very end when not one item was scored.
void close_run(const ClosingRequest& request,
               nlohmann::ordered_json stamp,
               bool is_complete,
               store::Samples& samples,
               RunSummary& summary);

// Throws kNothingScored for a finished run in which not one item was scored.
void expect_scored(const RunSummary& summary);

}  // namespace snellen::run
