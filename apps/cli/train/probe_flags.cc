// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/probe_flags.h"

#include "apps/cli/train/training_flags.h"
#include "snellen/training/probes/task_probe.h"
#include "snellen/training/probes/world_probe.h"

namespace snellen::cli {
void add_probe_flags(CLI::App& verb, training::ProbeSettings& flags) {
  verb.add_option(
          "--probe",
          flags.probe_files,
          "items to evaluate on (docs/your-own-task.md), or `eyechart`: the held-out world; "
          "may be given again")
      ->type_name("FILE")
      ->take_all();
  verb.add_option(
          "--probe-images", flags.probe_images, "folder of their pictures (default: beside them)")
      ->type_name("DIR");
  verb.add_option(
          "--probe-scenes", flags.probe_scenes, "scenes of the held-out world (default 256)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000}));
}

std::vector<std::unique_ptr<training::ProbeSource>> file_probes(
    const Context& context,
    const training::ProbeSettings& flags,
    const media::ImageProcessor& processor) {
  std::vector<std::unique_ptr<training::ProbeSource>> probes;
  config::Options options(run::run_options(context.catalogue));
  if (!flags.probe_images.empty())
    options.set("root-image-dir", flags.probe_images, "--probe-images");
  for (const std::string& file : flags.probe_files) {
    if (file == training::ProbeSettings::kHeldOutWorld) continue;
    std::unique_ptr<tasks::Task> task =
        context.catalogue.task("file:" + file)
            .open({.options = options, .model = {}, .argument = file});
    probes.push_back(training::task_probe(std::move(task), file, processor));
  }
  return probes;
}

std::unique_ptr<training::ProbeSource> held_out_probe(const training::ProbeSettings& flags,
                                                      const media::ImageProcessor& processor,
                                                      bool is_naming_alone) {
  return training::world_probe({.seed = held_out_scenes().seed,
                                .num_scenes = flags.probe_scenes,
                                .is_naming_alone = is_naming_alone},
                               processor);
}

}  // namespace snellen::cli
