// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "apps/cli/verb.h"
#include "snellen/config/options.h"
#include "snellen/run/engine.h"

namespace snellen::cli {

// How a finished run is shown.
enum class Format { kText, kMarkdown, kCsv };
Format format_of(const std::string& name);

struct ShowOptions {
  Format format = Format::kText;
  bool with_breakdowns = false;
  bool with_table = true;
};

// Runs, with progress on stderr and Ctrl-C that leaves a resumable run; prints the summary; gives
// the exit code.
int run_and_show(Context& context, const config::Options& options, const ShowOptions& show);

// Runs with that progress and leaves showing to the caller.
run::RunSummary run_with_progress(Context& context, const config::Options& options);

// Prints the table (or JSON) and the failures; gives the exit code.
int show_summary(const Context& context, const run::RunSummary& summary, const ShowOptions& show);

}  // namespace snellen::cli
