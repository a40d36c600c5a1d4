// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/probe_flags.h"

#include "snellen/config/groups.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/settings.h"

namespace snellen::cli {

std::vector<config::Option> probe_options() {
  using config::option;
  using S = training::ProbeSettings;
  return config::grouped(
      "Probes",
      {option(&S::probe_files,
              "probe",
              "evaluate on this file of items (docs/your-own-task.md), or on `eyechart`: "
              "scenes that no training uses; may be repeated")
           .value("FILE")
           .whole_words()
           .many(),
       option(&S::probe_images, "probe-images", "folder of their images (default: beside them)")
           .value("DIR"),
       option(&S::probe_scenes, "probe-scenes", "number of scenes for `--probe eyechart`")
           .range(1, 1'000'000)});
}

std::vector<training::ProbeTask> open_probe_tasks(const Context& context,
                                                  const training::ProbeSettings& flags) {
  std::vector<training::ProbeTask> probes;
  config::Options options(run::run_options(context.catalogue));
  if (!flags.probe_images.empty()) options.set("images", flags.probe_images, "--probe-images");
  for (const std::string& file : flags.probe_files) {
    if (file == training::ProbeSettings::kHeldOutWorld) continue;
    probes.push_back({context.catalogue.task("file:" + file)
                          .open({.options = options, .model = {}, .argument = file}),
                      file});
  }
  return probes;
}

}  // namespace snellen::cli
