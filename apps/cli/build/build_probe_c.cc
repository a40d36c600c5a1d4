// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build.h"
#include "apps/cli/build/build_output.h"
#include "snellen/builders/probe_c/build.h"

namespace snellen::cli {
namespace {

struct ProbeCFlags : BuildFlags {
  std::string captions;
  builders::probe_c::NounSources nouns;
  builders::probe_c::BuilderOptions options;
};

}  // namespace

std::function<int()> add_build_probe_c(CLI::App& build, Context& context) {
  CLI::App* verb = build.add_subcommand("probe-c", "composition, from COCO captions");
  verb->footer(
      "Writes DIR/data_compositional_switch.json and DIR/data_object_switch.json. Nouns are the\n"
      "single-word names of Visual Genome's objects and COCO's, or those of a file of your own.\n"
      "Example:\n  snellen build probe-c --captions captions_val2014.json --objects objects.json "
      "--out probe_c");
  auto flags = std::make_shared<ProbeCFlags>();
  add_build_flags(*verb, *flags);
  verb->add_option("--captions", flags->captions, "captions_val2014.json")
      ->type_name("FILE")
      ->required();
  verb->add_option("--objects", flags->nouns.objects, "Visual Genome's objects.json, for its nouns")
      ->type_name("FILE");
  verb->add_option("--nouns", flags->nouns.nouns, "nouns of your own, one a line")
      ->type_name("FILE");
  verb->add_option("--min-noun-images",
                   flags->nouns.min_images,
                   "images of objects.json a noun must be in (default 20)")
      ->type_name("N");
  verb->add_option("--object-switch-per-pair",
                   flags->options.object_switch_per_pair,
                   "groups of the object split for one pair of an image (default 5)")
      ->type_name("N");
  return [&context, flags] {
    flags->options.seed = flags->seed;
    BuildProgress progress;
    return show_build(context,
                      builders::probe_c::build(flags->captions,
                                               flags->nouns,
                                               flags->options,
                                               flags->out,
                                               workers_of(*flags, progress)),
                      flags->out);
  };
}

}  // namespace snellen::cli
