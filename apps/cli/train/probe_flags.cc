// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/probe_flags.h"

#include <algorithm>

#include "apps/cli/train/training_flags.h"
#include "snellen/training/probes/task_probe.h"
#include "snellen/training/probes/world_probe.h"

namespace snellen::cli {
namespace {

constexpr const char* kWorld = "eyechart";

}  // namespace

bool ProbeFlags::wants_world() const {
  return std::find(files.begin(), files.end(), kWorld) != files.end();
}

void add_probe_flags(CLI::App& verb, ProbeFlags& flags) {
  verb.add_option(
          "--probe",
          flags.files,
          "items to evaluate on (docs/your-own-task.md), or `eyechart`: the held-out world; "
          "may be given again")
      ->type_name("FILE")
      ->take_all();
  verb.add_option("--probe-images", flags.images, "folder of their pictures (default: beside them)")
      ->type_name("DIR");
  verb.add_option("--probe-scenes", flags.scenes, "scenes of the held-out world (default 256)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000}));
}

std::vector<std::unique_ptr<training::ProbeSource>> file_probes(
    const Context& context, const ProbeFlags& flags, const media::ImageProcessor& processor) {
  std::vector<std::unique_ptr<training::ProbeSource>> probes;
  config::Options options(run::run_options(context.catalogue));
  if (!flags.images.empty()) options.set("root-image-dir", flags.images, "--probe-images");
  for (const std::string& file : flags.files) {
    if (file == kWorld) continue;
    std::unique_ptr<tasks::Task> task =
        context.catalogue.task("file:" + file)
            .open({.options = options, .model = {}, .argument = file});
    probes.push_back(training::task_probe(std::move(task), file, processor));
  }
  return probes;
}

std::unique_ptr<training::ProbeSource> held_out_probe(const ProbeFlags& flags,
                                                      const media::ImageProcessor& processor,
                                                      bool is_naming_alone) {
  return training::world_probe({.seed = held_out_scenes().seed,
                                .num_scenes = flags.scenes,
                                .is_naming_alone = is_naming_alone},
                               processor);
}

}  // namespace snellen::cli
