// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build.h"
#include "apps/cli/build/build_output.h"
#include "snellen/builders/vilma/change_state_build.h"

namespace snellen::cli {
namespace {

struct ChangeStateFlags : BuildFlags {
  builders::vilma::ChangeStateSources sources;
  builders::vilma::StateTextOptions options;
};

}  // namespace

std::function<int()> add_build_vilma_change_state(CLI::App& build, Context& context) {
  CLI::App* verb =
      build.add_subcommand("vilma-change-state", "change of state, from described changes");
  verb->footer(
      "Writes DIR/change-state-{action,prestate,poststate,inverse}.json. The published texts are "
      "those\nof --preserve-original --compat. Nothing is drawn: --seed changes nothing.\n"
      "Example:\n  snellen build vilma-change-state --data change-state-base.json "
      "--preserve-original --out change_state");
  auto flags = std::make_shared<ChangeStateFlags>();
  add_build_flags(*verb, *flags);
  verb->add_option("--data", flags->sources.data, "items with 'change_of_state' by id")
      ->type_name("FILE")
      ->required();
  verb->add_option("--candidates",
                   flags->sources.candidates,
                   "nouns of a language model by item id or object, for the proficiency pair")
      ->type_name("FILE");
  verb->add_flag("--preserve-original",
                 flags->options.keeps_verb,
                 "say the item's own verb, not its hypernym");
  verb->add_flag(
      "--extended", flags->options.is_extended, "tell before, action and after each time");
  verb->add_option("--start-adverb", flags->options.start_adverb, "(default Initially)")
      ->type_name("TEXT");
  verb->add_option("--central-adverb", flags->options.central_adverb, "(default Then)")
      ->type_name("TEXT");
  verb->add_option("--end-adverb", flags->options.end_adverb, "(default At the end)")
      ->type_name("TEXT");
  verb->add_flag("--compat", flags->options.is_compat, "as the reference generator, bugs included");
  return [&context, flags] {
    BuildProgress progress;
    return show_build(context,
                      builders::vilma::build_change_state(
                          flags->sources, flags->options, flags->out, workers_of(*flags, progress)),
                      flags->out);
  };
}

}  // namespace snellen::cli
