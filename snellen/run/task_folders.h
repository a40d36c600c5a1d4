// SPDX-License-Identifier: Apache-2.0
// --data and --images name a folder for all tasks, or one for each: "probe-r=DIR", "coco=DIR".
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/run/settings.h"
#include "snellen/tasks/task.h"

namespace snellen::run {

struct NamedFolder {
  std::string name;  // a task, the start of several ("probe-b"), or a data set; empty: for all
  std::filesystem::path folder;
};

// As the settings keep them: "DIR", or "NAME=DIR,NAME=DIR". A comma parts two only where NAME=
// follows, because folders may hold commas.
std::vector<NamedFolder> named_folders(std::string_view text);

// Whether a name means the task: its own, the start of it before a dash, or where `of_images` the
// data set that its pictures come from.
bool is_for_task(std::string_view name, const tasks::TaskFacts& task, bool of_images);

// What the settings say for one task, in the place of what they say for all; `options` itself
// where they name one folder for all. Throws kUsage for a name that means no task, and for a file
// in a folder's place.
config::Options options_of_task(const config::Options& options,
                                const tasks::TaskFacts& task,
                                const Catalogue& catalogue);

}  // namespace snellen::run
