// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "snellen/media/crop.h"
#include "snellen/media/video/clip.h"

namespace snellen::media {

// A corruption of the catalogue and the key of its draw (snellen/media/corruptions/corruption.h).
struct PlacedCorruption {
  std::string name;  // "gauss:100"
  uint64_t seed = 0;
  std::string image_id;
  uint64_t replicate = 0;
};

// A picture file, or a stretch of a video when `clip` is given; shown as it is, or cropped and
// corrupted.
struct VisualPlace {
  std::filesystem::path path;
  std::optional<ClipWindow> clip = std::nullopt;
  // Which frames of the clip are shown; without it as many as the model takes, evenly spread.
  std::optional<FrameSampler> sampler = std::nullopt;
  FrameIndices frames = {};                    // these, when not empty
  std::optional<CropBox> crop = std::nullopt;  // first
  // Second, where a task asks for a corruption of its own and a control is laid over it.
  std::optional<PlacedCorruption> first_corruption = std::nullopt;
  std::optional<PlacedCorruption> corruption = std::nullopt;
};

}  // namespace snellen::media
