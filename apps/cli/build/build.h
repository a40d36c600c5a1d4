// SPDX-License-Identifier: Apache-2.0
// The builders of `snellen build`, one file each; build.cc lists them.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "apps/cli/verb.h"

namespace snellen::cli {

// Adds one builder's sub-command; the returned function runs it and gives the exit code.
using BuildVerb = std::function<int()> (*)(CLI::App& build, Context& context);

std::function<int()> add_build_check(CLI::App& build, Context& context);
std::function<int()> add_build_eyechart(CLI::App& build, Context& context);
std::function<int()> add_build_probe_b(CLI::App& build, Context& context);
std::function<int()> add_build_probe_c(CLI::App& build, Context& context);
std::function<int()> add_build_probe_r(CLI::App& build, Context& context);
std::function<int()> add_build_relcomp(CLI::App& build, Context& context);
std::function<int()> add_build_vilma_change_state(CLI::App& build, Context& context);
std::function<int()> add_build_vilma_counting(CLI::App& build, Context& context);
std::function<int()> add_build_vilma_rare_actions(CLI::App& build, Context& context);
std::function<int()> add_build_vilma_statistics(CLI::App& build, Context& context);

}  // namespace snellen::cli
