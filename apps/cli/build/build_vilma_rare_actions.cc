// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_output.h"
#include "apps/cli/build/proposals.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/builders/vilma/rare_build.h"

namespace snellen::cli {
namespace {

struct RareFlags : BuildFlags {
  builders::vilma::RareSources sources;
  builders::vilma::RareOptions options;
  std::string target = "both";
  ProposalFlags proposals;
};

}  // namespace

std::function<int()> add_build_vilma_rare_actions(Command build, Context& context) {
  using config::nested;
  using config::option;
  using S = RareFlags;
  using Sources = builders::vilma::RareSources;
  using Options = builders::vilma::RareOptions;
  using Ensemble = decltype(Options::ensemble);
  Command verb = build.add_subcommand("vilma-rare-actions", "rare actions, from RareAct");
  verb.footer(
      "Writes DIR/rare-actions-{verb,noun}-foils.json, each if there are candidates for it.\n"
      "Candidates come from files: {\"cut book\": [{\"verb\": \"read\"}],\n"
      "\"cut\": [{\"noun\": \"apple\", \"phrase\": \"an apple\"}]}.\n"
      "The seeds are 42 (verbs) and 41 (nouns) unless --seed is given.\n"
      "Example:\n"
      "  snellen build vilma-rare-actions -d rareact.csv --candidates verbs.json\n"
      "      --mlm-outputs bert.json --mlm-outputs roberta.json --out rare_actions\n"
      "Or from models: --candidates-from bert-large-uncased,other-bert --nli-model bert-nli, or\n"
      "--candidates-from openai:NAME --base-url URL; one masked model alone needs --threshold 1.\n"
      "What they gave stands in\n"
      "DIR/candidates-1.json and so on, which --mlm-outputs and --candidates read.");
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::inherited<S, BuildFlags>(build_options()),
           nested(
               &S::sources,
               {option(&Sources::rareact, "rareact", "RareAct's rareact.csv")
                    .alias("d", "data-file")
                    .value("FILE")
                    .required(),
                option(&Sources::candidates,
                       "candidates",
                       "verbs or nouns that a language model gave, by verb and noun, with NLI "
                       "labels if there are any")
                    .alias("i", "input-file")
                    .value("FILE"),
                option(&Sources::mlm_outputs,
                       "mlm-outputs",
                       "nouns that masked language models gave, by verb: one file per model")
                    .value("FILE")
                    .many(),
                option(
                    &Sources::video_dir, "video-dir", "use only rows whose video is in this folder")
                    .value("DIR"),
                option(&Sources::detections,
                       "detections",
                       "objects detected in each clip, by row id; they are never foils")
                    .alias("object-detection-file")
                    .value("FILE")}),
           nested(&S::proposals, proposal_options()),
           {option(&S::target, "target", "what is exchanged").choices({"verb", "noun", "both"})},
           nested(&S::options,
                  config::joined(
                      {{option(&Options::num_examples, "num-examples", "number of rows drawn")
                            .range(1, 1e7)},
                       nested(&Options::ensemble,
                              {option(&Ensemble::top_k, "top-k", "merged nouns per verb")
                                   .range(1, 100'000),
                               option(&Ensemble::threshold,
                                      "threshold",
                                      "minimum ensemble score of a foil: number of agreeing models "
                                      "plus the product of their probabilities")
                                   .alias("T")}),
                       {option(&Options::is_compat,
                               "compat",
                               "reproduce the reference generator, including its bugs")}}))}),
      [&context](S flags) {
        Options& options = flags.options;
        options.makes_verbs = flags.target != "noun";
        options.makes_nouns = flags.target != "verb";
        if (flags.seed) options.verb_seed = options.noun_seed = *flags.seed;
        add_proposals(context, flags.proposals, flags.out, flags.sources);
        options.judges = judges_of(context, flags.proposals, flags.out);
        BuildProgress progress;
        return show_build(context,
                          builders::vilma::build_rare_actions(
                              flags.sources, options, flags.out, workers_of(flags, progress)),
                          flags.out);
      });
}

}  // namespace snellen::cli
