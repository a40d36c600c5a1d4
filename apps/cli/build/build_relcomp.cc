// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_genome.h"
#include "apps/cli/build/build_output.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
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

std::function<int()> add_build_relcomp(Command build, Context& context) {
  using config::nested;
  using config::option;
  using S = RelCompFlags;
  using Sources = builders::relcomp::Sources;
  using Nouns = builders::probe_c::NounSources;
  using Options = builders::relcomp::Options;
  Command verb =
      build.add_subcommand("relcomp", "training samples that share no photo with the probes");
  verb.footer(
      "Writes DIR/relcomp_train.jsonl and DIR/relcomp_val.jsonl, one sample per line:\n"
      "compositional ones from COCO's training captions, relational ones from the Visual Genome\n"
      "images that Probe-R does not use. COCO and Visual Genome share photos; image_data.json "
      "says\n"
      "which. Compositional samples leave out every photo of Visual Genome, relational ones every\n"
      "photo of val2014. `build probe-r --use-relcomp-images` gives up what is kept for RelComp.\n"
      "Example:\n"
      "  snellen build relcomp --captions captions_train2014.json\n"
      "      --coco-val captions_val2014.json --visual-genome vg --out relcomp");
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::inherited<S, BuildFlags>(build_options()),
           nested(&S::genome, genome_options()),
           nested(
               &S::sources,
               config::joined(
                   {{option(&Sources::captions, "captions", "captions_train2014.json")
                         .value("FILE")
                         .required(),
                     option(
                         &Sources::coco_val, "coco-val", "any val2014 file that lists its images")
                         .value("FILE")
                         .required(),
                     option(&Sources::image_data,
                            "image-data",
                            "image_data.json, if it lies elsewhere")
                         .value("FILE")},
                    nested(&Sources::nouns,
                           {option(&Nouns::nouns, "nouns", "file with your own nouns, one per line")
                                .value("FILE"),
                            option(&Nouns::min_images,
                                   "min-noun-images",
                                   "a noun must occur in this many images of objects.json")})})),
           nested(&S::options,
                  {option(&Options::min_object_images,
                          "min-object-images",
                          "a foil subject must occur in this many images"),
                   option(&Options::object_switch_per_pair,
                          "object-switch-per-pair",
                          "object samples per pair of an image")})}),
      [&context](S flags) {
        fill_sources(flags);
        flags.options.seed = flags.seed.value_or(0);
        BuildProgress progress;
        return show_build(context,
                          builders::relcomp::build(
                              flags.sources, flags.options, flags.out, workers_of(flags, progress)),
                          flags.out);
      });
}

}  // namespace snellen::cli
