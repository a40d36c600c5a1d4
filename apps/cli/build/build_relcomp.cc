// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build.h"
#include "apps/cli/build/build_genome.h"
#include "apps/cli/build/build_output.h"
#include "snellen/builders/relcomp/build.h"

namespace snellen::cli {
namespace {

struct RelCompFlags : BuildFlags {
  GenomeFlags genome;
  builders::relcomp::Sources sources;
  builders::relcomp::Options options;
};

void fill_sources(RelCompFlags& flags) {
  builders::relcomp::Sources& sources = flags.sources;
  sources.visual_genome = genome_of(flags.genome);
  sources.nouns.objects = sources.visual_genome.objects;
  if (sources.image_data.empty())
    sources.image_data = sources.visual_genome.objects.parent_path() / "image_data.json";
}

}  // namespace

std::function<int()> add_build_relcomp(CLI::App& build, Context& context) {
  CLI::App* verb =
      build.add_subcommand("relcomp", "training samples that share no image with the probes");
  verb->footer(
      "Writes DIR/relcomp_train.jsonl and DIR/relcomp_val.jsonl, a sample a line: compositional "
      "ones\n"
      "from COCO's training captions, relational ones from Visual Genome images that Probe-R "
      "leaves\n"
      "alone.\n"
      "Example:\n  snellen build relcomp --captions captions_train2014.json --coco-val "
      "captions_val2014.json --visual-genome vg --out relcomp");
  auto flags = std::make_shared<RelCompFlags>();
  add_build_flags(*verb, *flags);
  add_genome_flags(*verb, flags->genome);
  verb->add_option("--captions", flags->sources.captions, "captions_train2014.json")
      ->type_name("FILE")
      ->required();
  verb->add_option("--coco-val", flags->sources.coco_val, "any val2014 file that lists its images")
      ->type_name("FILE")
      ->required();
  verb->add_option("--image-data", flags->sources.image_data, "image_data.json, if elsewhere")
      ->type_name("FILE");
  verb->add_option("--nouns", flags->sources.nouns.nouns, "nouns of your own, one a line")
      ->type_name("FILE");
  verb->add_option("--min-noun-images",
                   flags->sources.nouns.min_images,
                   "images of objects.json a noun must be in (default 20)")
      ->type_name("N");
  verb->add_option("--min-object-images",
                   flags->options.min_object_images,
                   "images a foil subject must be in (default 20)")
      ->type_name("N");
  verb->add_option("--object-switch-per-pair",
                   flags->options.object_switch_per_pair,
                   "object samples for one pair of an image (default 5)")
      ->type_name("N");
  return [&context, flags] {
    fill_sources(*flags);
    flags->options.seed = flags->seed;
    BuildProgress progress;
    return show_build(context,
                      builders::relcomp::build(
                          flags->sources, flags->options, flags->out, workers_of(*flags, progress)),
                      flags->out);
  };
}

}  // namespace snellen::cli
