// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build.h"
#include "apps/cli/build/build_output.h"
#include "snellen/builders/vilma/counting_build.h"

namespace snellen::cli {
namespace {

struct CountingFlags : BuildFlags {
  builders::vilma::CountingSources sources;
  builders::vilma::CountingOptions options;
  std::string instrument = "both";
  bool uses_digits = false;
};

void add_sources(CLI::App& verb, CountingFlags& flags) {
  verb.add_option("-t,--templates,--template-file",
                  flags.sources.templates,
                  "quva-templates-processed.json, or one without singular templates")
      ->type_name("FILE")
      ->required();
  verb.add_option("-p,--proficiency-foils,--proficiency-file",
                  flags.sources.foils,
                  "quva-proficiency-foils.json: wrong sentences by video and template")
      ->type_name("FILE")
      ->required();
  verb.add_option("-d,--data-dir",
                  flags.sources.data_dir,
                  "QUVA's folder with normalized_annotations (and normalized_videos)")
      ->type_name("DIR")
      ->required();
}

}  // namespace

std::function<int()> add_build_vilma_counting(CLI::App& build, Context& context) {
  CLI::App* verb = build.add_subcommand("vilma-counting", "action counting, from QUVA Repetition");
  verb->footer(
      "Writes DIR/counting-{easy,hard}-{spelled,digits}-{pts,sec}.json. Seeds are 101 (easy) and "
      "102\n(hard) unless --seed names one.\n"
      "Example:\n  snellen build vilma-counting -t quva-templates-processed.json -p "
      "quva-proficiency-foils.json -d QUVA --out counting");
  auto flags = std::make_shared<CountingFlags>();
  CLI::Option* seed = add_build_flags(*verb, *flags);
  add_sources(*verb, *flags);
  verb->add_option("--instrument", flags->instrument, "easy, hard or both (default both)")
      ->check(CLI::IsMember({"easy", "hard", "both"}))
      ->type_name("NAME");
  verb->add_option("--threshold",
                   flags->options.rule.threshold,
                   "counts up to this are easy, others hard (default 3)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1000}))
      ->type_name("N");
  verb->add_option("--max-count", flags->options.rule.max_count, "largest count (default 10)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1000}))
      ->type_name("N");
  verb->add_option("--num-examples",
                   flags->options.num_examples,
                   "clips drawn, over all videos (default 1000)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{10'000'000}))
      ->type_name("N");
  verb->add_flag("--use-digits", flags->uses_digits, "7 and not seven");
  verb->add_flag("--exercise-foils",
                 flags->options.adds_exercise_foils,
                 "make wrong sentences for exercise videos that have none");
  verb->add_flag("--compat", flags->options.is_compat, "as the reference generator, bugs included");
  return [&context, flags, seed] {
    builders::vilma::CountingOptions& options = flags->options;
    options.makes_easy = flags->instrument != "hard";
    options.makes_hard = flags->instrument != "easy";
    if (flags->uses_digits) options.style = builders::vilma::CountStyle::kDigits;
    if (seed->count() > 0) options.easy_seed = options.hard_seed = flags->seed;
    BuildProgress progress;
    return show_build(context,
                      builders::vilma::build_counting(
                          flags->sources, options, flags->out, workers_of(*flags, progress)),
                      flags->out);
  };
}

}  // namespace snellen::cli
