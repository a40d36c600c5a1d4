// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "apps/cli/command_line.h"
#include "apps/cli/run/ranks.h"
#include "apps/cli/run/run_output.h"
#include "apps/cli/text/meteor_places.h"

namespace snellen::cli {
namespace {

using config::OptionKind;

// Flags of the verb that say how results are shown: a config file holds them too, a stamp does not.
std::vector<config::OptionFacts> shown_options() {
  return {{.name = "format",
           .default_value = "text",
           .help = "how the table is printed",
           .choices = {"text", "markdown", "csv"}},
          {.name = "breakdowns",
           .kind = OptionKind::kFlag,
           .help = "also print the metrics per category and tag"},
          {.name = "json", .kind = OptionKind::kFlag}};
}

// Without the flags that are only shown_options().
config::Options run_settings(const Context& context, const config::Options& all) {
  config::Options options(run::run_options(context.catalogue));
  for (const config::OptionFacts& option : options.declared()) {
    if (all.is_set(option.name)) options.set(option.name, all.text(option.name), "settings");
  }
  return options;
}

// The plan of each model in turn.
int show_dry_runs(const Context& context,
                  const config::Options& options,
                  const std::vector<std::string>& models,
                  Format format) {
  if (models.size() < 2)
    return show_dry_run(context, run::plan_run(context.catalogue, options), format);
  int worst = 0;
  for (const std::string& model : models) {
    config::Options own = options;
    own.set("model", model, "--model");
    if (!context.wants_json) fmt::print("{}\n", model);
    worst = std::max(worst, show_dry_run(context, run::plan_run(context.catalogue, own), format));
  }
  return worst;
}

}  // namespace

std::function<int()> add_run(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("run", "score tasks with a model and write a run folder");
  verb->footer(
      "Several --model run side by side, each with a run folder of its own; pictures are decoded "
      "once.\n"
      "Example:\n  snellen run --model fake --tasks probe-c --data annotations --output runs\n"
      "  snellen run --model DIR --tasks file:items.jsonl\n"
      "  snellen run --config runs/fake-probe-c/run.json --seed 1 --name again");
  std::vector<config::OptionFacts> declared = run::run_options(context.catalogue);
  for (config::OptionFacts& option : shown_options()) declared.push_back(std::move(option));
  // --json is a flag of the whole program.
  auto flags = std::make_shared<OptionFlags>(*verb, declared, std::vector<std::string>{"json"});
  auto config = std::make_shared<std::string>();
  verb->add_option("--config",
                   *config,
                   "JSON file that holds any of these flags, or the run.json of a run folder; the "
                   "command line wins")
      ->type_name("FILE");
  return [&context, verb, flags, config] {
    config::Options all = flags->options(*config);
    context.wants_json = context.wants_json || all.flag("json");
    Format format = format_of(all.text("format"));
    config::Options options = run_settings(context, all);
    set_meteor_places(options);
    const std::vector<std::string>& models = verb->get_option("--model")->results();
    if (options.flag("dry-run")) return show_dry_runs(context, options, models, format);
    const ShowOptions show = {format, all.flag("breakdowns")};
    RankSession session(options);
    if (models.size() > 1) {
      session.expect_alone("several models", "--model", "name one model a run");
      return run_models_and_show(context, options, models, show);
    }
    if (session.is_helper()) {
      run::help_with_run(run_request(context, options, session.ranks()));
      session.set_end(run::Verdict::kComplete);
      return 0;
    }
    run::RunSummary summary =
        run_with_progress(context, options, /*keeps_folder=*/true, session.ranks());
    session.set_end(summary.verdict);
    return show_summary(context, summary, show);
  };
}

}  // namespace snellen::cli
