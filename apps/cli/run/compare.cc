// SPDX-License-Identifier: Apache-2.0
#include <thread>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/report/compare_text.h"

namespace snellen::cli {
namespace {

struct CompareSettings {
  std::vector<std::filesystem::path> folders;
  std::string format = "text";
  report::CompareOptions options;
};

}  // namespace

std::function<int()> add_compare(CLI::App& app, Context& context) {
  using config::option;
  using S = CompareSettings;
  using Options = report::CompareOptions;
  CLI::App* verb = app.add_subcommand(
      "compare", "compare runs item by item: differences, paired intervals and tests");
  verb->footer(
      "Every later run is compared with the first, on the items that both scored. Three or more\n"
      "runs are also ranked.\n"
      "Example:\n"
      "  snellen compare runs/clip-probe-c runs/tuned-probe-c --format markdown");
  return verb_with(
      *verb,
      S{},
      config::joined(
          {{option(&S::folders, "runs", "run folders; the others are compared with the first")
                .positional()
                .many()
                .required(),
            option(&S::format, "format", "format of the tables; csv: only decisions and metrics")
                .choices({"text", "markdown", "csv"})},
           config::nested(
               &S::options,
               {option(&Options::confidence, "confidence", "confidence level of the intervals"),
                option(&Options::bootstrap,
                       "bootstrap",
                       "resamples of a percentile bootstrap; 0: intervals by formula")
                    .range(0, 1e7),
                option(&Options::test,
                       "test",
                       "test of shares; auto takes items that share pictures together",
                       {{"auto", report::PairedTest::kByItems},
                        {"mcnemar", report::PairedTest::kMcNemar}}),
                option(&Options::seed, "seed", "seed of the bootstrap and the sign flips"),
                option(
                    &Options::num_items, "items", "items of largest disagreement to list per task")
                    .range(0, 100'000)})}),
      [&context](S settings) {
        settings.options.num_threads = std::max(1U, std::thread::hardware_concurrency());
        report::Comparison comparison = report::compare_runs(settings.folders, settings.options);
        if (context.wants_json) {
          fmt::print("{}", report::comparison_as_json(comparison));
        } else if (settings.format == "csv") {
          fmt::print("{}", report::comparison_as_csv(comparison));
          for (const std::string& line : comparison.warnings) print_note("warning: {}\n", line);
        } else {
          fmt::print("{}",
                     settings.format == "markdown" ? report::comparison_as_markdown(comparison)
                                                   : report::comparison_as_text(comparison));
        }
        return 0;
      });
}

}  // namespace snellen::cli
