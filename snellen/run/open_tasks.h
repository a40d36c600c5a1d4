// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "snellen/run/plan.h"
#include "snellen/store/samples.h"

namespace snellen::run {

// Opens the tasks of a run, in the order they were named. Those of a file name themselves: their
// names go to settings.titles. Throws kUsage when two have one name.
std::vector<OpenTask> open_tasks(const Catalogue& catalogue,
                                 const config::Options& options,
                                 RunSettings& settings);

// For a model that looks, before anything is written: throws kUsage where a task has no folder of
// images, kNotFound where the folder is not there. Single missing files fail their items later.
void expect_image_folders(const std::vector<OpenTask>& tasks);

// What samples.db keeps of the tasks, so that metrics can be recomputed from it alone.
std::vector<store::TaskRecord> task_records(const std::vector<OpenTask>& tasks);

}  // namespace snellen::run
