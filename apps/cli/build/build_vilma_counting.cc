// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_output.h"
#include "apps/cli/build/proposals.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/builders/vilma/counting_build.h"

namespace snellen::cli {
namespace {

struct CountingFlags : BuildFlags {
  CountingFlags() { proposals.num_words = 16; }  // as the reference

  builders::vilma::CountingSources sources;
  builders::vilma::CountingOptions options;
  std::string instrument = "both";
  bool uses_digits = false;
  ProposalFlags proposals;
};

}  // namespace

std::function<int()> add_build_vilma_counting(Command build, Context& context) {
  using config::nested;
  using config::option;
  using S = CountingFlags;
  using Sources = builders::vilma::CountingSources;
  using Options = builders::vilma::CountingOptions;
  using Rule = decltype(Options::rule);
  Command verb = build.add_subcommand("vilma-counting", "action counting, from QUVA Repetition");
  verb.footer(
      "Writes DIR/counting-{easy,hard}-{spelled,digits}-{pts,sec}.json. The seeds are 101 (easy)\n"
      "and 102 (hard) unless --seed is given.\n"
      "Example:\n"
      "  snellen build vilma-counting -t quva-templates-processed.json\n"
      "      -p quva-proficiency-foils.json -d QUVA --out counting\n"
      "Videos without wrong sentences get them from models: --candidates-from bert-large-uncased,\n"
      "or openai:NAME with --base-url. --nli-model, --gruen-mlm and --gruen-cola leave out "
      "sentences\n"
      "that follow from the caption or are badly written, those of the file too. The sentences\n"
      "that were used stand in DIR/quva-proficiency-foils.json.");
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::inherited<S, BuildFlags>(build_options()),
           nested(&S::sources,
                  {option(&Sources::templates,
                          "templates",
                          "quva-templates-processed.json, or a file without singular templates")
                       .alias("t", "template-file")
                       .value("FILE")
                       .required(),
                   option(&Sources::foils,
                          "proficiency-foils",
                          "quva-proficiency-foils.json: wrong sentences by video and template")
                       .alias("p", "proficiency-file")
                       .value("FILE"),
                   option(&Sources::data_dir,
                          "data-dir",
                          "QUVA's folder with normalized_annotations (and normalized_videos)")
                       .alias("d")
                       .value("DIR")
                       .required()}),
           nested(&S::proposals, proposal_options()),
           {option(&S::instrument, "instrument", "which files to build")
                .choices({"easy", "hard", "both"}),
            option(&S::uses_digits,
                   "use-digits",
                   "write counts as digits (7) instead of words (seven)")},
           nested(
               &S::options,
               config::joined(
                   {nested(&Options::rule,
                           {option(&Rule::threshold, "threshold", "largest count that is easy")
                                .range(1, 1000),
                            option(&Rule::max_count, "max-count", "largest count").range(1, 1000)}),
                    {option(&Options::num_examples,
                            "num-examples",
                            "number of clips drawn, over all videos")
                         .range(1, 1e7),
                     option(&Options::adds_exercise_foils,
                            "exercise-foils",
                            "make wrong sentences for exercise videos that have none"),
                     option(&Options::is_compat,
                            "compat",
                            "reproduce the reference generator, including its bugs")},
                    nested(&Options::proposed,
                           {option(&builders::vilma::ProposedFoilOptions::includes_exercises,
                                   "propose-exercises",
                                   "with --candidates-from: ask about exercise videos too")})}))}),
      [&context](S flags) {
        Options& options = flags.options;
        options.makes_easy = flags.instrument != "hard";
        options.makes_hard = flags.instrument != "easy";
        if (flags.uses_digits) options.style = builders::vilma::CountStyle::kDigits;
        if (flags.sources.foils.empty() && flags.proposals.from.empty())
          throw Error{ErrorCode::kUsage,
                      "no wrong sentences are named",
                      "--proficiency-foils",
                      "name the file, or a model that gives them with --candidates-from"};
        options.proposed.propose = counting_proposals(context, flags.proposals, flags.out);
        options.judges = judges_of(context, flags.proposals, flags.out);
        if (flags.seed) options.easy_seed = options.hard_seed = *flags.seed;
        BuildProgress progress;
        return show_build(context,
                          builders::vilma::build_counting(
                              flags.sources, options, flags.out, workers_of(flags, progress)),
                          flags.out);
      });
}

}  // namespace snellen::cli
