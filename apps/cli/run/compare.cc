// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/cores.h"
#include "snellen/report/compare_text.h"

namespace snellen::cli {
namespace {

struct CompareSettings {
  std::vector<std::filesystem::path> folders;
  std::string format = "text";
  bool is_wide = false;
  std::vector<std::string> same_tasks;
  std::vector<std::filesystem::path> marks;
  report::CompareOptions options;
};

// "direction=direction-gray"
std::vector<std::pair<std::string, std::string>> task_pairs(const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& word : words) {
    const size_t sign = word.find('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == word.size())
      throw Error{ErrorCode::kUsage,
                  fmt::format("'{}' is no pair of tasks", word.substr(0, 80)),
                  "--map",
                  "for example --map direction=direction-gray"};
    pairs.emplace_back(word.substr(0, sign), word.substr(sign + 1));
  }
  return pairs;
}

}  // namespace

std::function<int()> add_compare(Command app, Context& context) {
  using config::option;
  using S = CompareSettings;
  using Options = report::CompareOptions;
  Command verb = app.add_subcommand(
      "compare", "compare runs item by item: differences, paired intervals and tests");
  verb.footer(
      "Every later run is compared with the first, on the items that both scored. Three or more\n"
      "runs are also ranked.\n"
      "Example:\n"
      "  snellen compare runs/clip-probe-c runs/tuned-probe-c\n"
      "  snellen compare runs/clip-direction runs/clip-direction-gray\n"
      "      --map direction=direction-gray");
  return verb_with(
      verb,
      S{},
      config::joined(
          {{option(&S::folders, "runs", "run folders; the others are compared with the first")
                .positional()
                .many()
                .required(),
            option(&S::format, "format", "format of the tables; csv: only decisions and metrics")
                .choices({"text", "markdown", "csv"}),
            option(
                &S::is_wide, "wide", "print all columns: tests, ties, counts, detectable effects"),
            option(&S::same_tasks,
                   "map",
                   "pair two tasks over the same items: the name in the first run = that in the "
                   "others")
                .many()
                .value("TASK=TASK"),
            option(&S::marks,
                   "leave-out",
                   "leave out the items that these mark files of `snellen view` name")
                .many()
                .value("RUN.marks.jsonl")},
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
        settings.options.marks = settings.marks;
        settings.options.same_tasks = task_pairs(settings.same_tasks);
        settings.options.num_threads = num_cores();
        report::Comparison comparison = report::compare_runs(settings.folders, settings.options);
        if (context.wants_json) {
          fmt::print("{}", report::comparison_as_json(comparison));
        } else if (settings.format == "csv") {
          fmt::print("{}", report::comparison_as_csv(comparison));
          for (const std::string& line : comparison.warnings) print_note("warning: {}\n", line);
        } else if (settings.format == "markdown") {
          fmt::print("{}", report::comparison_as_markdown(comparison));
        } else {
          fmt::print("{}",
                     settings.is_wide ? report::comparison_as_text(comparison)
                                      : report::comparison_as_narrow_text(comparison, kTextWidth));
        }
        return 0;
      });
}

}  // namespace snellen::cli
