// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "apps/cli/command_line.h"
#include "apps/cli/run_output.h"
#include "apps/cli/score_visdial.h"

namespace snellen::cli {

// Metrics from scores made elsewhere: `score probe-c --scores F` equals `run --model file:F --tasks
// probe-c`.
std::function<int()> add_score(CLI::App& app, Context& context) {
  CLI::App* verb =
      app.add_subcommand("score", "metrics from files alone: scores that any model made elsewhere");
  verb->footer(
      "Example:\n  snellen score probe-c --scores scores.jsonl --data annotations --output runs");
  auto flags = std::make_shared<OptionFlags>(
      *verb, run::run_options(context.catalogue), std::vector<std::string>{"tasks"});
  auto task = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  auto with_breakdowns = std::make_shared<bool>(false);
  verb->add_option("task", *task, "the task the scores belong to")->required();
  verb->add_option("--format", *format, "how the table is printed")
      ->check(CLI::IsMember({"text", "markdown", "csv"}));
  verb->add_flag("--breakdowns", *with_breakdowns, "also print the metrics per category");
  return [&context, flags, task, format, with_breakdowns] {
    if (*task == "visdial") *task = "visdial-gen";
    flags->set("tasks", *task);
    if (context.catalogue.task(*task).facts().reads_results) {
      flags->set("adapter", "given");
    } else {
      flags->set("adapter", "file");
    }
    ShowOptions show{.format = format_of(*format), .with_breakdowns = *with_breakdowns};
    if (*task == "visdial-gen") return score_visdial(context, flags->options(), show);
    return run_and_show(context, flags->options(), show);
  };
}

}  // namespace snellen::cli
