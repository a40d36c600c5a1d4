// SPDX-License-Identifier: Apache-2.0
// The walking pipeline: plan, batch, score, record; then measure and write. What was recorded is
// never scored again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "snellen/config/options.h"
#include "snellen/metrics/control/control_report.h"
#include "snellen/models/model.h"
#include "snellen/run/settings.h"
#include "snellen/store/results.h"
#include "snellen/store/samples.h"

namespace snellen::inference {
class PictureClient;
}

namespace snellen::run {

// How far a run has come; drawn by whoever watches.
struct Progress {
  static constexpr const char* kItems = "items";
  uint64_t done = 0;
  uint64_t total = 0;
  uint64_t failed = 0;
  uint64_t resumed = 0;  // of done, recorded by an earlier process
  double seconds = 0;
  const char* unit = kItems;        // what is counted; what comes after the items is counted anew
  std::string limited_by = {};      // the stage of the model's work that holds the rest up
  models::Model::Ahead ahead = {};  // what the model has computed for items that are to come
};

struct Ranks;

struct RunRequest {
  const Catalogue& catalogue;
  const config::Options& options;
  std::string command;  // for the stamp
  // Called after every batch and a few times a second, from one thread at a time.
  std::function<void(const Progress&)> on_progress;
  std::function<bool()> is_stopped;  // asked from many threads
  std::function<void(const store::Sample&)> on_sample =
      {};  // told of every item, as it is recorded
  // What a model has to tell people while it works; called from any thread, one at a time.
  std::function<void(std::string_view)> on_message = {};
  // Where several runs share what is decoded.
  inference::PictureClient* pictures = nullptr;
  // Who shares the work (run/ranks.h); null: this process alone.
  const Ranks* ranks = nullptr;
};

enum class Verdict { kComplete, kFailures, kInterrupted };

struct TaskSummary {
  std::string name;
  store::SampleCounts counts;
  std::vector<store::Sample> failures;  // the first few
  std::vector<std::string> notes = {};  // what the task says about its inputs
  // Where every score of every item is this one; not for answers.
  std::optional<double> only_score = std::nullopt;
};

struct RunSummary {
  std::filesystem::path folder;
  Verdict verdict = Verdict::kComplete;
  std::vector<TaskSummary> tasks;
  store::Results results;
  std::vector<TaskSummary> rungs = {};                           // of --control, by rung and task
  std::optional<metrics::ControlReport> control = std::nullopt;  // of a finished run with rungs
  uint64_t resumed = 0;
  double seconds = 0;
  std::vector<std::string> notes = {};  // what the model says about its work
  uint64_t num_truncated = 0;           // texts that were too long for the model
};

// Throws when the run cannot go on; what was recorded until then stays and is resumed by the same
// command. A run in which not one item was scored throws kNothingScored with the first reason,
// after everything was recorded; the next run of that name takes its place, whatever its settings.
RunSummary run_tasks(const RunRequest& request);

// For the ranks beside rank 0: works for its run_tasks() until it sends this one home. Writes
// nothing; what ends its work is told there.
void help_with_run(const RunRequest& request);

// The same numbers without a run folder: nothing is written and nothing resumes. `folder` stays
// empty.
RunSummary run_in_memory(const RunRequest& request);

}  // namespace snellen::run
