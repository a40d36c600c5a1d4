// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "snellen/inference/session.h"
#include "snellen/run/engine/engine.h"
#include "snellen/run/plan.h"
#include "snellen/run/settings.h"

namespace snellen::run {

// The folder that --model names, and how the settings want it asked.
inference::FolderRequest folder_request(const config::Options& options,
                                        const RunSettings& settings);

// What --model names: a checkpoint folder, an adapter or a score file, which `tasks` (not needed
// for folders) read.
std::unique_ptr<models::Model> open_model(const RunRequest& request,
                                          const RunSettings& settings,
                                          const std::vector<OpenTask>& tasks);

}  // namespace snellen::run
