// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build.h"
#include "apps/cli/build/build_genome.h"
#include "apps/cli/build/build_output.h"
#include "snellen/builders/probe_r/build.h"

namespace snellen::cli {
namespace {

struct ProbeRFlags : BuildFlags {
  GenomeFlags genome;
  builders::probe_r::BuilderOptions options;
  bool uses_all = false;
};

}  // namespace

std::function<int()> add_build_probe_r(CLI::App& build, Context& context) {
  CLI::App* verb = build.add_subcommand("probe-r", "relations, from Visual Genome v1.4");
  verb->footer(
      "Writes DIR/relation_eval_subject.json. The folder holds relationships.json and "
      "objects.json;\n"
      "object_alias.txt and relationship_alias.txt are used where they are there.\n"
      "Example:\n  snellen build probe-r --visual-genome vg --out probe_r");
  auto flags = std::make_shared<ProbeRFlags>();
  add_build_flags(*verb, *flags);
  add_genome_flags(*verb, flags->genome);
  verb->add_option("--min-object-images",
                   flags->options.min_object_images,
                   "images a foil subject must be in (default 20)")
      ->type_name("N");
  verb->add_option("--min-predicate-count",
                   flags->options.min_predicate_count,
                   "times a foil predicate must occur (default 1)")
      ->type_name("N");
  verb->add_option("--num-images",
                   flags->options.num_images,
                   "positive images of a group, and negative ones (default 10)")
      ->check(CLI::Range(size_t{1}, size_t{1000}))
      ->type_name("N");
  verb->add_flag(
      "--use-relcomp-images", flags->uses_all, "also use the images that are kept for RelComp");
  return [&context, flags] {
    flags->options.seed = flags->seed;
    flags->options.reserves_relcomp = !flags->uses_all;
    BuildProgress progress;
    return show_build(
        context,
        builders::probe_r::build(
            genome_of(flags->genome), flags->options, flags->out, workers_of(*flags, progress)),
        flags->out);
  };
}

}  // namespace snellen::cli
