// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_output.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/builders/probe_b/build.h"

namespace snellen::cli {
namespace {

struct ProbeBFlags : BuildFlags {
  builders::probe_b::Sources sources;
  builders::probe_b::BuildOptions options;
  std::vector<std::string> fillers = {"black", "gray", "noise", "scene"};
  std::string format = "jpg";
  bool has_no_pictures = false;
};

void check_flags(ProbeBFlags& flags) {
  flags.options.plan.seed = flags.seed.value_or(0);
  flags.options.format = flags.format == "png" ? builders::probe_b::PictureFormat::kPng
                                               : builders::probe_b::PictureFormat::kJpeg;
  flags.options.fillers.clear();
  for (const std::string& name : flags.fillers)
    flags.options.fillers.push_back(media::filler_of(name).value());
  if (flags.has_no_pictures) {
    flags.sources.images.clear();
    return;
  }
  if (flags.sources.images.empty()) {
    throw Error{ErrorCode::kUsage,
                "no folder of images named",
                "--images",
                "pass the folder of val2014, or --no-pictures for the annotations alone"};
  }
  bool needs_scenes =
      std::find(flags.fillers.begin(), flags.fillers.end(), "scene") != flags.fillers.end();
  if (needs_scenes && flags.sources.scenes.empty()) {
    throw Error{ErrorCode::kUsage,
                "the filler `scene` needs images of scenes",
                "--scenes",
                "pass a folder of scenes, or leave it out: --fill-type black,gray,noise"};
  }
}

}  // namespace

std::function<int()> add_build_probe_b(Command build, Context& context) {
  using config::nested;
  using config::option;
  using S = ProbeBFlags;
  using Sources = builders::probe_b::Sources;
  using Options = builders::probe_b::BuildOptions;
  Command verb = build.add_subcommand("probe-b", "context, from COCO instances and images");
  verb.footer(
      "Writes the annotation files of both parts and, for each filler, images without the\n"
      "background, with a patch, and of one object alone. The same command continues after a\n"
      "stop: finished images are kept.\n"
      "Example:\n"
      "  snellen build probe-b --instances instances_val2014.json --images val2014\n"
      "      --scenes scenes --out probe_b");
  std::vector<config::Option> own = {
      option(&S::fillers, "fill-type", "what replaces the removed pixels")
          .many()
          .choices({"black", "gray", "noise", "scene"}),
      option(&S::format, "format", "jpg (quality 95, 4:4:4) or png; file names end in .jpg")
          .choices({"jpg", "png"}),
      option(&S::has_no_pictures, "no-pictures", "write only the annotation files")};
  return verb_with(
      verb,
      S{},
      config::joined(
          {config::inherited<S, BuildFlags>(build_options()),
           nested(&S::sources,
                  {option(&Sources::instances, "instances", "instances_val2014.json")
                       .value("FILE")
                       .required(),
                   option(&Sources::images, "images", "folder of the images").value("DIR"),
                   option(&Sources::scenes, "scenes", "folder of scenes without COCO objects")
                       .value("DIR"),
                   option(&Sources::scene_list, "scene-list", "use these scenes: one name per line")
                       .value("FILE")}),
           own,
           nested(&S::options,
                  {option(&Options::overwrites,
                          "overwrite",
                          "build into a folder that holds another build")})}),
      [&context](S flags) {
        check_flags(flags);
        BuildProgress progress;
        return show_build(context,
                          builders::probe_b::build(
                              flags.sources, flags.options, flags.out, workers_of(flags, progress)),
                          flags.out);
      });
}

}  // namespace snellen::cli
