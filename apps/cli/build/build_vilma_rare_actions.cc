// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build.h"
#include "apps/cli/build/build_output.h"
#include "snellen/builders/vilma/rare_build.h"

namespace snellen::cli {
namespace {

struct RareFlags : BuildFlags {
  builders::vilma::RareSources sources;
  builders::vilma::RareOptions options;
  std::string target = "both";
};

void add_sources(CLI::App& verb, builders::vilma::RareSources& sources) {
  verb.add_option("-d,--rareact,--data-file", sources.rareact, "RareAct's rareact.csv")
      ->type_name("FILE")
      ->required();
  verb.add_option("-i,--candidates,--input-file",
                  sources.candidates,
                  "verbs or nouns of a language model, by verb and noun, with NLI labels if any")
      ->type_name("FILE");
  verb.add_option("--mlm-outputs",
                  sources.mlm_outputs,
                  "nouns of several masked language models by verb, a file each, to be merged")
      ->type_name("FILE");
  verb.add_option("--video-dir", sources.video_dir, "use only rows whose video is here")
      ->type_name("DIR");
  verb.add_option("--detections,--object-detection-file",
                  sources.detections,
                  "labels that were seen in a clip, by row id: they are no foils of it")
      ->type_name("FILE");
}

}  // namespace

std::function<int()> add_build_vilma_rare_actions(CLI::App& build, Context& context) {
  CLI::App* verb = build.add_subcommand("vilma-rare-actions", "rare actions, from RareAct");
  verb->footer(
      "Writes DIR/rare-actions-{verb,noun}-foils.json, those there are candidates for. Candidates "
      "come\nfrom files: {\"cut book\": [{\"verb\": \"read\"}], \"cut\": [{\"noun\": \"apple\", "
      "\"phrase\": \"an apple\"}]}.\nSeeds are 42 (verbs) and 41 (nouns) unless --seed names one.\n"
      "Example:\n  snellen build vilma-rare-actions -d rareact.csv --candidates verbs.json "
      "--mlm-outputs bert.json --mlm-outputs roberta.json --out rare_actions");
  auto flags = std::make_shared<RareFlags>();
  CLI::Option* seed = add_build_flags(*verb, *flags);
  add_sources(*verb, flags->sources);
  verb->add_option(
          "--target", flags->target, "what is exchanged: verb, noun or both (default both)")
      ->check(CLI::IsMember({"verb", "noun", "both"}))
      ->type_name("NAME");
  verb->add_option("--num-examples", flags->options.num_examples, "rows drawn (default 1000)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{10'000'000}))
      ->type_name("N");
  verb->add_option("--top-k", flags->options.ensemble.top_k, "merged nouns of a verb (default 5)")
      ->check(CLI::Range(size_t{1}, size_t{100'000}))
      ->type_name("N");
  verb->add_option("-T,--threshold",
                   flags->options.ensemble.threshold,
                   "models that agree, and the product of their scores (default 2.0)")
      ->type_name("X");
  verb->add_flag("--compat", flags->options.is_compat, "as the reference generator, bugs included");
  return [&context, flags, seed] {
    builders::vilma::RareOptions& options = flags->options;
    options.makes_verbs = flags->target != "noun";
    options.makes_nouns = flags->target != "verb";
    if (seed->count() > 0) options.verb_seed = options.noun_seed = flags->seed;
    BuildProgress progress;
    return show_build(context,
                      builders::vilma::build_rare_actions(
                          flags->sources, options, flags->out, workers_of(*flags, progress)),
                      flags->out);
  };
}

}  // namespace snellen::cli
