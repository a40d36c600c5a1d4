// SPDX-License-Identifier: Apache-2.0
// The end of every run, scored here or merged from shards: count, measure, write, stamp.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/run/engine/engine.h"
#include "snellen/run/plan.h"
#include "snellen/store/run_folder.h"

namespace snellen::run {

struct Ending {
  const store::RunPaths& paths;
  const std::vector<OpenTask>& tasks;
  const RunSettings& settings;
  std::string command;
  std::function<double()> seconds;  // since the run began
  // Of a control: its results are the run's under another name, without the papers' files.
  std::string rung = {};
  // Writes further files when the results are there, and gives their names.
  std::function<std::vector<std::filesystem::path>(const store::Results&)> more_files = {};

  // "model-task", "model-task@gray"
  std::string run_name() const;
};

// Puts counts, failures, notes and the verdict of the samples into a summary.
void sum_up(RunSummary& summary,
            const std::vector<OpenTask>& tasks,
            store::Samples& samples,
            bool is_complete);

// results.json of the tasks that have ended, while others go on.
void write_results_so_far(const Ending& ending,
                          const std::vector<bool>& is_left_out,
                          store::Samples& samples);

// sum_up(), then results.json and the files of the papers when everything was scored, then the
// stamp. The files are a pure function of samples.db and the settings, but for logs and metadata,
// which hold times.
void end_run(const Ending& ending,
             nlohmann::ordered_json stamp,
             bool is_complete,
             store::Samples& samples,
             RunSummary& summary);

// Throws kNothingScored, with the first reason, for a finished run in which not one item was
// scored.
void expect_scored(const RunSummary& summary);

}  // namespace snellen::run
