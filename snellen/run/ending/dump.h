// SPDX-License-Identifier: Apache-2.0
// Files that other verbs read: a run's scores (--dump-scores), its items (--export-items).
#pragma once

#include <string>
#include <vector>

#include "snellen/config/options.h"
#include "snellen/run/plan.h"
#include "snellen/run/settings.h"
#include "snellen/store/samples.h"

namespace snellen::run {

// What the options ask for, of a run whose samples are all there. A file for one task, or a folder
// with one file a task (and part, where a score file holds one). Scores are those of the scored
// items, so that `score` of them comes to the same results. Files appear whole. Throws kUsage for
// tasks that have no such files.
void write_dumps(const config::Options& options,
                 const RunSettings& settings,
                 const std::vector<OpenTask>& tasks,
                 store::Samples& samples);

// The same refusals before any work is done.
void check_dumps(const config::Options& options, const std::vector<OpenTask>& tasks);

// --export-items alone, for a dry run.
void write_items_of(const config::Options& options,
                    const RunSettings& settings,
                    const std::vector<OpenTask>& tasks);

// One item as a line of a task file (docs/your-own-task.md), without a line break.
std::string item_line(const tasks::Item& item, const std::string& part);

}  // namespace snellen::run
