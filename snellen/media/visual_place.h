// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "snellen/media/video/clip.h"

namespace snellen::media {

// A picture file, or a stretch of a video when `clip` is given.
struct VisualPlace {
  std::filesystem::path path;
  std::optional<ClipWindow> clip = std::nullopt;
};

}  // namespace snellen::media
