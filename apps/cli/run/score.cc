// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "apps/cli/command_line.h"
#include "apps/cli/data_folder.h"
#include "apps/cli/run/run_output.h"
#include "apps/cli/run/score_vilma.h"
#include "apps/cli/run/score_visdial.h"
#include "apps/cli/stdin_file.h"

namespace snellen::cli {
namespace {

bool has_option(const tasks::TaskFacts& facts, const std::string& name) {
  return std::any_of(facts.options.begin(), facts.options.end(), [&](const auto& option) {
    return option.name == name;
  });
}

// What only the program can know: stdin where a file is named -, and where the data folder lies.
config::Options with_places(const Context& context,
                            const tasks::TaskFacts& facts,
                            config::Options options,
                            std::optional<StdinFile>& standard_input) {
  for (const config::OptionFacts& option : facts.options) {
    if (options.text(option.name) != "-") continue;
    if (standard_input) {
      throw Error{ErrorCode::kUsage,
                  "only one file can be read from stdin",
                  "--" + option.name,
                  "give a path"};
    }
    standard_input.emplace();
    options.set(option.name, standard_input->path().string(), "stdin");
  }
  if (has_option(facts, "lexicon") && !options.is_set("lexicon")) {
    options.set("lexicon", find_data(context, "vader/vader_lexicon.txt").string(), "data folder");
    std::filesystem::path emoji = find_data_or_none(context, "vader/emoji_utf8_lexicon.txt");
    if (!options.is_set("emoji") && !emoji.empty())
      options.set("emoji", emoji.string(), "data folder");
  }
  return options;
}

}  // namespace

// Metrics from scores made elsewhere: `score probe-c --scores F` equals `run --model file:F --tasks
// probe-c`.
std::function<int()> add_score(CLI::App& app, Context& context) {
  CLI::App* verb =
      app.add_subcommand("score", "metrics from files alone: scores that any model made elsewhere");
  verb->footer(
      "Example:\n  snellen score probe-c --scores scores.jsonl --data annotations --output runs\n"
      "  snellen score vilma -i proficiency.json main.json -a relations.json -m probability\n"
      "  snellen score vilma --suite suite.json --data annotations --output runs\n"
      "  snellen score bias-close --answers answers.jsonl --output runs\n"
      "  snellen score file:items.jsonl --scores scores.jsonl --output runs");
  auto flags = std::make_shared<OptionFlags>(
      *verb, run::run_options(context.catalogue), std::vector<std::string>{"tasks", "dry-run"});
  auto task = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  auto with_breakdowns = std::make_shared<bool>(false);
  verb->add_option("task", *task, "the task the scores belong to")->required();
  verb->add_option("--format", *format, "how the table is printed")
      ->check(CLI::IsMember({"text", "markdown", "csv"}));
  verb->add_flag("--breakdowns", *with_breakdowns, "also print the metrics per category");
  auto vilma = add_vilma_flags(*verb);
  return [&context, flags, task, format, with_breakdowns, vilma] {
    if (*task == "visdial") *task = "visdial-gen";
    flags->set("tasks", *task);
    const tasks::TaskFacts& facts = context.catalogue.task(*task).facts();
    if (facts.reads_results) {
      flags->set("adapter", "given");
    } else {
      flags->set("adapter", "file");
    }
    std::optional<StdinFile> standard_input;
    config::Options options = with_places(context, facts, flags->options(), standard_input);
    bool asserts_claim = has_option(facts, "claim") && options.flag("claim");
    const ShowOptions show{format_of(*format), *with_breakdowns, asserts_claim};
    if (*task == "visdial-gen") return score_visdial(context, options, show);
    if (*task == "vilma") return score_vilma(context, options, *vilma, show);
    return run_and_show(context, options, show);
  };
}

}  // namespace snellen::cli
