// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/command_line.h"
#include "apps/cli/meteor_places.h"
#include "apps/cli/run_output.h"

namespace snellen::cli {

std::function<int()> add_run(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand("run", "score tasks with a model and write a run folder");
  verb->footer(
      "Several --model run side by side, each with a run folder of its own; pictures are decoded "
      "once.\n"
      "Example:\n  snellen run --model fake --tasks probe-c --data annotations --output runs");
  auto flags = std::make_shared<OptionFlags>(*verb, run::run_options(context.catalogue));
  auto config = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  auto with_breakdowns = std::make_shared<bool>(false);
  verb->add_option(
          "--config", *config, "JSON file that holds any of these flags; the command line wins")
      ->type_name("FILE");
  verb->add_option("--format", *format, "how the table is printed")
      ->check(CLI::IsMember({"text", "markdown", "csv"}));
  verb->add_flag("--breakdowns", *with_breakdowns, "also print the metrics per category");
  return [&context, verb, flags, config, format, with_breakdowns] {
    config::Options options = flags->options(*config);
    set_meteor_places(options);
    const std::vector<std::string>& models = verb->get_option("--model")->results();
    if (models.size() > 1)
      return run_models_and_show(context, options, models, {format_of(*format), *with_breakdowns});
    return run_and_show(context, options, {format_of(*format), *with_breakdowns});
  };
}

}  // namespace snellen::cli
