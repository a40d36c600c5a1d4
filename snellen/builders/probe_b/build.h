// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/builders/building.h"
#include "snellen/builders/probe_b/pictures.h"
#include "snellen/builders/probe_b/plan.h"

namespace snellen::builders::probe_b {

struct BuildOptions {
  PlanOptions plan;
  std::vector<media::Filler> fillers = {
      media::Filler::kBlack, media::Filler::kGray, media::Filler::kNoise, media::Filler::kScene};
  PictureFormat format = PictureFormat::kJpeg;
  // Go on in a folder that was built with other settings: its pictures are made again.
  bool overwrites = false;
};

struct Sources {
  std::filesystem::path instances;
  std::filesystem::path images;      // folder of the pictures; empty: annotations only
  std::filesystem::path scenes;      // folder; needed with the scene filler
  std::filesystem::path scene_list;  // optional allow-list of names
};

// Writes background_context_dataset.json, object_context_dataset.json, prompt_classes.csv,
// patch_rectangles.json, build.json and the pictures into `out`. Pictures already there that are
// whole are kept when the folder was begun with the same settings. The bytes depend on the sources
// and the options alone. Throws kUsage for a folder of other settings.
builders::BuildReport build(const Sources& sources,
                            const BuildOptions& options,
                            const std::filesystem::path& out,
                            const builders::Workers& workers);

}  // namespace snellen::builders::probe_b
