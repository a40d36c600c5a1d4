// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/cli/progress.h"
#include "apps/cli/verb.h"
#include "snellen/config/options.h"
#include "snellen/report/table.h"
#include "snellen/run/dry_run.h"
#include "snellen/run/engine/engine.h"

namespace snellen::cli {

// How a finished run is shown.
enum class Format { kText, kMarkdown, kCsv };
// Text fits kTextWidth columns unless `is_wide`.
void print_table(const report::Table& table, Format format, bool is_wide = false);

struct ShowOptions {
  Format format = Format::kText;
  bool with_breakdowns = false;
  bool is_wide = false;  // all columns, however wide the table gets
};

// The same for several models side by side, each with a run folder of its own; every picture is
// decoded once for all of them.
int run_models_and_show(Context& context,
                        const config::Options& options,
                        const std::vector<std::string>& models,
                        const ShowOptions& show);

// Runs, with progress on stderr and Ctrl-C that leaves a resumable run; prints the summary; gives
// the exit code.
int run_and_show(Context& context, const config::Options& options, const ShowOptions& show);
// What is asked of the engine; from then on Ctrl-C and SIGTERM end it in good order.
run::RunRequest run_request(const Context& context,
                            const config::Options& options,
                            const run::Ranks* ranks = nullptr);

// Answers Ctrl-C while the work that was begun comes to its end.
class StopMessage {
 public:
  void print_once(const ProgressLine& line);

 private:
  bool is_printed_ = false;
};

// The same request, with progress on stderr until this object goes. `options` must outlive it.
class ObservedRun {
 public:
  ObservedRun(const Context& context,
              const config::Options& options,
              const run::Ranks* ranks = nullptr);
  ObservedRun(const ObservedRun&) = delete;
  ObservedRun& operator=(const ObservedRun&) = delete;

  run::RunRequest& request() { return request_; }

 private:
  ProgressLine line_;
  StopMessage stop_message_;
  run::RunRequest request_;
};

// What `run --dry-run` prints: the plan as tables or JSON. Gives the exit code.
int show_dry_run(const Context& context, const run::DryRun& dry, Format format);

// Prints the table (or JSON) and the failures; gives the exit code. With the run's settings also
// what its tasks report.
int show_summary(const Context& context,
                 const run::RunSummary& summary,
                 const ShowOptions& show,
                 const config::Options* options = nullptr);

int exit_code_of_verdict(run::Verdict verdict);

}  // namespace snellen::cli
