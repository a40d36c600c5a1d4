// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/probe_flags.h"

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

std::vector<training::ProbeTask> open_probe_tasks(const Context& context,
                                                  const training::ProbeSettings& flags) {
  std::vector<training::ProbeTask> probes;
  config::Options options(run::run_options(context.catalogue));
  if (!flags.probe_images.empty())
    options.set("root-image-dir", flags.probe_images, "--probe-images");
  for (const std::string& file : flags.probe_files) {
    if (file == training::ProbeSettings::kHeldOutWorld) continue;
    probes.push_back({context.catalogue.task("file:" + file)
                          .open({.options = options, .model = {}, .argument = file}),
                      file});
  }
  return probes;
}

}  // namespace snellen::cli
