// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/annotations/vilma/quva_templates.h"
#include "snellen/base/error.h"
#include "snellen/builders/building.h"

namespace snellen::builders::vilma {

struct CountingSources {
  std::filesystem::path templates;  // quva-templates-processed.json, or without singular templates
  std::filesystem::path foils;      // quva-proficiency-foils.json
  std::filesystem::path data_dir;   // QUVA with normalized_annotations and normalized_videos
};

// The frames of the 30-fps video at which repetitions end. Throws kNotFound, or kInvalidInput for
// numbers that are not whole, negative, too large for a frame, or that fall.
std::vector<int64_t> repetition_ends(const CountingSources& sources, const std::string& prefix);

// A video that can be asked about.
struct CountedVideo {
  annotations::QuvaVideo video;  // with singular templates
  std::vector<int64_t> ends;
  annotations::QuvaFoils foils;
};

}  // namespace snellen::builders::vilma
