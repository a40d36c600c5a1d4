// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_genome.h"
#include "apps/cli/build/build_output.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/builders/probe_r/build.h"

namespace snellen::cli {
namespace {

struct ProbeRFlags : BuildFlags {
  GenomeFlags genome;
  builders::probe_r::BuilderOptions options;
  bool uses_all = false;
};

}  // namespace

std::function<int()> add_build_probe_r(Command build, Context& context) {
  using config::nested;
  using config::option;
  using S = ProbeRFlags;
  using Options = builders::probe_r::BuilderOptions;
  Command verb = build.add_subcommand("probe-r", "relations, from Visual Genome v1.4");
  verb.footer(
      "Writes DIR/relation_eval_subject.json. The folder holds relationships.json and\n"
      "objects.json; object_alias.txt and relationship_alias.txt are used if they exist.\n"
      "Example:\n  snellen build probe-r --visual-genome vg --out probe_r");
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::inherited<S, BuildFlags>(build_options()),
           nested(&S::genome, genome_options()),
           nested(&S::options,
                  {option(&Options::min_object_images,
                          "min-object-images",
                          "a foil subject must occur in this many images"),
                   option(&Options::min_predicate_count,
                          "min-predicate-count",
                          "a foil predicate must occur this often"),
                   option(&Options::num_images,
                          "num-images",
                          "positive images per group, and negative ones")
                       .range(1, 1000)}),
           {option(
               &S::uses_all, "use-relcomp-images", "also use the images reserved for RelComp")}}),
      [&context](S flags) {
        flags.options.seed = flags.seed.value_or(0);
        flags.options.reserves_relcomp = !flags.uses_all;
        BuildProgress progress;
        return show_build(
            context,
            builders::probe_r::build(
                genome_of(flags.genome), flags.options, flags.out, workers_of(flags, progress)),
            flags.out);
      });
}

}  // namespace snellen::cli
