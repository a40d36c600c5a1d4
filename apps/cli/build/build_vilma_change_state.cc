// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_output.h"
#include "apps/cli/build/proposals.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/builders/vilma/change_state_build.h"

namespace snellen::cli {
namespace {

struct ChangeStateFlags : BuildFlags {
  // As the reference.
  ChangeStateFlags() {
    proposals.num_words = 3;
    proposals.least_probability = 0;
  }

  builders::vilma::ChangeStateSources sources;
  builders::vilma::StateTextOptions options;
  ProposalFlags proposals;
};

}  // namespace

std::function<int()> add_build_vilma_change_state(Command build, Context& context) {
  using config::nested;
  using config::option;
  using S = ChangeStateFlags;
  using Sources = builders::vilma::ChangeStateSources;
  using Options = builders::vilma::StateTextOptions;
  Command verb =
      build.add_subcommand("vilma-change-state", "change of state, from described changes");
  verb.footer(
      "Writes DIR/change-state-{action,prestate,poststate,inverse}.json. --preserve-original\n"
      "--compat gives the published texts. Nothing is random: --seed changes nothing.\n"
      "Example:\n"
      "  snellen build vilma-change-state --data change-state-base.json --preserve-original\n"
      "      --out change_state\n"
      "Nouns for the proficiency pair come from models too: --candidates-from bert-large-uncased, "
      "or\n"
      "openai:NAME with --base-url; they stand in DIR/candidates-1.json. --nli-model, --gruen-mlm\n"
      "and --gruen-cola judge the pair: the first noun that passes is taken.");
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::inherited<S, BuildFlags>(build_options()),
           nested(&S::sources,
                  {option(&Sources::data, "data", "items with 'change_of_state' by id")
                       .value("FILE")
                       .required(),
                   option(&Sources::candidates,
                          "candidates",
                          "nouns that a language model gave, by item id or object, for the "
                          "proficiency pair")
                       .value("FILE")}),
           nested(&S::proposals, proposal_options()),
           nested(&S::options,
                  {option(&Options::keeps_verb,
                          "preserve-original",
                          "use the item's own verb instead of its hypernym"),
                   option(&Options::is_extended,
                          "extended",
                          "describe the states before and after, and the action, in every text"),
                   option(&Options::start_adverb, "start-adverb", "word for the first state"),
                   option(&Options::central_adverb, "central-adverb", "word for the action"),
                   option(&Options::end_adverb, "end-adverb", "word for the last state"),
                   option(&Options::is_compat,
                          "compat",
                          "reproduce the reference generator, including its bugs")})}),
      [&context](S flags) {
        if (!flags.proposals.from.empty()) {
          if (!flags.sources.candidates.empty())
            throw Error{ErrorCode::kUsage,
                        "candidates come from one source",
                        "--candidates-from",
                        "give --candidates or --candidates-from, not both"};
          flags.sources.candidates = state_candidates(
              context, flags.proposals, flags.sources.data, flags.options, flags.out);
        }
        const builders::vilma::FoilJudges judges = judges_of(context, flags.proposals, flags.out);
        BuildProgress progress;
        return show_build(
            context,
            builders::vilma::build_change_state(
                flags.sources, flags.options, flags.out, workers_of(flags, progress), judges),
            flags.out);
      });
}

}  // namespace snellen::cli
