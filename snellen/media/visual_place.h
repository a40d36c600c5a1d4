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
  // Which frames of the clip are shown; without it as many as the model takes, evenly spread.
  std::optional<FrameSampler> sampler = std::nullopt;
  FrameIndices frames = {};  // these, when not empty
};

}  // namespace snellen::media
