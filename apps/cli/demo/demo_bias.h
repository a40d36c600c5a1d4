// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "apps/cli/demo/demo_steps.h"

namespace snellen::cli {

// The bias questions of the eyechart and the blind-image control, put to two mock endpoints of this
// process: one that looks at the picture and one that never does. Adds a section to report.md and
// prints it unless `is_silent`. A build without HTTP leaves them out.
void add_bias(DemoSteps& steps,
              const std::filesystem::path& world,
              const std::filesystem::path& output,
              bool is_silent);

}  // namespace snellen::cli
