// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include <fmt/format.h>

#include "apps/cli/verb.h"
#include "snellen/report/compare_text.h"

namespace snellen::cli {

std::function<int()> add_compare(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand(
      "compare", "two or more runs, item by item: differences, paired intervals and tests");
  verb->footer(
      "Every later run is compared with the first, on the items scored in both.\n"
      "Example:\n  snellen compare runs/clip-probe-c runs/clip_finetuned-probe-c --format "
      "markdown");
  struct Flags {
    std::vector<std::string> folders;
    std::string format = "text";
    report::CompareOptions options;
  };
  auto flags = std::make_shared<Flags>();
  report::CompareOptions& options = flags->options;
  verb->add_option("runs", flags->folders, "the run folders, the one to compare with first")
      ->required()
      ->type_name("FOLDER...");
  verb->add_option("--format",
                   flags->format,
                   "how the tables are printed; csv holds the decisions and metrics alone")
      ->check(CLI::IsMember({"text", "markdown", "csv"}));
  verb->add_option("--confidence", options.confidence, "of the intervals (default 0.95)")
      ->type_name("X");
  verb->add_option(
          "--bootstrap", options.bootstrap, "replicates of the paired bootstrap (default 2000)")
      ->check(CLI::Range(1, 10000000))
      ->type_name("N");
  verb->add_option("--seed", options.seed, "of bootstrap and permutations (default 0)")
      ->type_name("N");
  verb->add_option("--items",
                   options.num_items,
                   "how many items of largest disagreement to list a task (default 10)")
      ->check(CLI::Range(0, 100000))
      ->type_name("N");
  return [&context, flags] {
    flags->options.num_threads = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::filesystem::path> folders(flags->folders.begin(), flags->folders.end());
    report::Comparison comparison = report::compare_runs(folders, flags->options);
    if (context.wants_json) {
      fmt::print("{}", report::comparison_as_json(comparison));
    } else if (flags->format == "csv") {
      fmt::print("{}", report::comparison_as_csv(comparison));
      for (const std::string& line : comparison.warnings) fmt::print(stderr, "warning: {}\n", line);
    } else {
      fmt::print("{}",
                 flags->format == "markdown" ? report::comparison_as_markdown(comparison)
                                             : report::comparison_as_text(comparison));
    }
    return 0;
  };
}

}  // namespace snellen::cli
