// SPDX-License-Identifier: Apache-2.0
// What a run would do: the plan without the work. Nothing is decoded and no weight is read; files
// are only looked at (stat).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "snellen/config/options.h"
#include "snellen/run/settings.h"

namespace snellen::run {

struct PlannedTask {
  std::string name;
  uint64_t num_items = 0;
  uint64_t num_bad = 0;  // records that cannot be read
  std::string first_bad;
  uint64_t num_scores = 0;   // asked for
  uint64_t num_visuals = 0;  // distinct
  uint64_t num_texts = 0;
};

// What one kind of model has to compute for it all, and what asking score by score would.
struct PlannedWork {
  std::string kind;  // as FolderFacts say
  uint64_t visuals = 0;
  uint64_t texts = 0;
  uint64_t pairs = 0;       // picture and text together
  uint64_t one_by_one = 0;  // forwards without a plan
  double seconds = 0;       // a rough guess; 0 where the model's size is not known

  uint64_t forwards() const { return visuals + texts + pairs; }
  uint64_t saved() const { return one_by_one - forwards(); }
};

struct DryRun {
  std::vector<PlannedTask> tasks;
  uint64_t num_visuals = 0;  // distinct over all tasks
  uint64_t num_texts = 0;
  std::vector<PlannedWork> work;     // of the model's kind, or of each where it is not known
  uint64_t memory_bytes = 0;         // weights, plan and what the threads hold, roughly
  uint64_t num_without_file = 0;     // distinct visuals whose file is missing
  uint64_t num_missing = 0;          // files that are not there or cannot be placed
  std::vector<std::string> missing;  // the first of them
  bool needs_files = false;          // the model looks, so that missing ones fail their items
  double decode_seconds = 0;         // a rough guess
};

// Throws as a run would that cannot begin: settings, task files.
DryRun plan_run(const Catalogue& catalogue, const config::Options& options);

}  // namespace snellen::run
