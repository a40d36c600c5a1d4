// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build.h"
#include "apps/cli/build/build_output.h"
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
  flags.options.plan.seed = flags.seed;
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
                "the pictures are not named",
                "--images",
                "pass the folder of val2014, or --no-pictures for the annotations alone"};
  }
  bool needs_scenes =
      std::find(flags.fillers.begin(), flags.fillers.end(), "scene") != flags.fillers.end();
  if (needs_scenes && flags.sources.scenes.empty()) {
    throw Error{ErrorCode::kUsage,
                "the filler scene needs pictures",
                "--scenes",
                "pass a folder of scenes, or leave it out: --fill-type black,gray,noise"};
  }
}

}  // namespace

std::function<int()> add_build_probe_b(CLI::App& build, Context& context) {
  CLI::App* verb = build.add_subcommand("probe-b", "context, from COCO instances and pictures");
  verb->footer(
      "Writes the annotation files of both parts and, for each filler, pictures with the "
      "background\n"
      "removed, with a patch, and of one object alone. Run it again to go on after a stop: "
      "pictures\n"
      "that are whole are kept.\n"
      "Example:\n  snellen build probe-b --instances instances_val2014.json --images val2014 "
      "--scenes scenes --out probe_b");
  auto flags = std::make_shared<ProbeBFlags>();
  add_build_flags(*verb, *flags);
  verb->add_option("--instances", flags->sources.instances, "instances_val2014.json")
      ->type_name("FILE")
      ->required();
  verb->add_option("--images", flags->sources.images, "folder of the pictures")->type_name("DIR");
  verb->add_option("--scenes", flags->sources.scenes, "folder of scenes without COCO objects")
      ->type_name("DIR");
  verb->add_option("--scene-list", flags->sources.scene_list, "scenes to use, a file name a line")
      ->type_name("FILE");
  verb->add_option("--fill-type", flags->fillers, "fillers (default black,gray,noise,scene)")
      ->delimiter(',')
      ->type_name("NAME,...");
  verb->add_option("--format", flags->format, "jpg of quality 95, 4:4:4, or png; names stay .jpg")
      ->check(CLI::IsMember({"jpg", "png"}));
  verb->add_flag("--no-pictures", flags->has_no_pictures, "write the annotation files alone");
  verb->add_flag(
      "--overwrite", flags->options.overwrites, "build into a folder that holds another build");
  return [&context, flags] {
    check_flags(*flags);
    BuildProgress progress;
    return show_build(context,
                      builders::probe_b::build(
                          flags->sources, flags->options, flags->out, workers_of(*flags, progress)),
                      flags->out);
  };
}

}  // namespace snellen::cli
