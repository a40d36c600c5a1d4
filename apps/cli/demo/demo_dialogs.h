// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "apps/cli/demo/demo_steps.h"

namespace snellen::cli {

// The chain of the VisDial papers on the eyechart's dialogs: a fit, reference sets, ranks,
// generated answers and what each comes to. Adds a section to report.md and prints it unless
// `is_silent`. Steps that were done are not done again.
void add_dialogs(DemoSteps& steps,
                 const std::filesystem::path& world,
                 const std::filesystem::path& output,
                 bool is_silent);

}  // namespace snellen::cli
