// SPDX-License-Identifier: Apache-2.0
// The two demonstrations of `snellen demo`. Both give an exit code.
#pragma once

#include <filesystem>
#include <string>

#include "apps/cli/verb.h"

namespace snellen::cli {

// The four probes from score files in `data`: needs no network.
int run_demo_example(Context& context,
                     const std::filesystem::path& data,
                     const std::filesystem::path& output);

// The shipped models on a small world that is drawn for them: what each sees, and what fine-tuning
// changed. Writes run folders and report.md. Each step is a command that is printed, so that it can
// be tried by itself; steps that were done are not done again. `size` is that of the world.
int run_demo_story(const Context& context,
                   const std::filesystem::path& models,
                   const std::filesystem::path& output,
                   const std::string& size);

}  // namespace snellen::cli
