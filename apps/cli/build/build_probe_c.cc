// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_output.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/builders/probe_c/build.h"

namespace snellen::cli {
namespace {

struct ProbeCFlags : BuildFlags {
  std::string captions;
  builders::probe_c::NounSources nouns;
  builders::probe_c::BuilderOptions options;
};

}  // namespace

std::function<int()> add_build_probe_c(Command build, Context& context) {
  using config::nested;
  using config::option;
  using S = ProbeCFlags;
  using Nouns = builders::probe_c::NounSources;
  using Options = builders::probe_c::BuilderOptions;
  Command verb = build.add_subcommand("probe-c", "composition, from COCO captions");
  verb.footer(
      "Writes DIR/data_compositional_switch.json and DIR/data_object_switch.json. Nouns are the\n"
      "single-word object names of Visual Genome and COCO, or those of a file of your own.\n"
      "Example:\n"
      "  snellen build probe-c --captions captions_val2014.json --objects objects.json\n"
      "      --out probe_c");
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::inherited<S, BuildFlags>(build_options()),
           {option(&S::captions, "captions", "captions_val2014.json").value("FILE").required()},
           nested(&S::nouns,
                  {option(&Nouns::objects, "objects", "Visual Genome's objects.json, for its nouns")
                       .value("FILE"),
                   option(&Nouns::nouns, "nouns", "file with your own nouns, one per line")
                       .value("FILE"),
                   option(&Nouns::min_images,
                          "min-noun-images",
                          "a noun must occur in this many images of objects.json")}),
           nested(&S::options,
                  {option(&Options::object_switch_per_pair,
                          "object-switch-per-pair",
                          "groups of the object split per pair of an image")})}),
      [&context](S flags) {
        flags.options.seed = flags.seed.value_or(0);
        BuildProgress progress;
        return show_build(
            context,
            builders::probe_c::build(
                flags.captions, flags.nouns, flags.options, flags.out, workers_of(flags, progress)),
            flags.out);
      });
}

}  // namespace snellen::cli
