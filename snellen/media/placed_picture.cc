// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/placed_picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/media/corruptions/corruption.h"

namespace snellen::media {

std::string change_key(const VisualPlace& place) {
  std::string key;
  if (place.crop) {
    const CropBox& box = *place.crop;
    key += fmt::format("\tcrop {} {} {} {}", box.x, box.y, box.width, box.height);
  }
  if (place.corruption) {
    const PlacedCorruption& made = *place.corruption;
    key += fmt::format("\t{}\t{}\t{}\t{}", made.name, made.seed, made.replicate, made.image_id);
  }
  return key;
}

Result<Image> as_placed(Image picture, const VisualPlace& place, std::optional<size_t> frame) {
  if (place.crop) picture = cropped(picture, *place.crop);
  if (!place.corruption) return picture;
  Result<Corruption> corruption = corruption_of(place.corruption->name);
  if (!corruption) return corruption.error().within(place.path.native());
  std::string image_id = place.corruption->image_id;
  if (frame) image_id += fmt::format("#{}", *frame);
  Result<Image> made = corrupted(*corruption,
                                 picture,
                                 {.seed = place.corruption->seed,
                                  .image_id = image_id,
                                  .replicate = place.corruption->replicate});
  if (!made) return made.error().within(place.path.native());
  return made;
}

ChooseFrames frames_as_placed(const VisualPlace& place, int64_t usual_frames) {
  if (!place.frames.empty()) {
    return [&place](std::span<const double> seconds) {
      FrameIndices frames = place.frames;
      for (int64_t& frame : frames)
        frame = std::min(frame, static_cast<int64_t>(seconds.size()) - 1);
      return frames;
    };
  }
  FrameSampler sampler = place.sampler.value_or(FrameSampler{.num_frames = 0});
  if (sampler.num_frames == 0) sampler.num_frames = usual_frames;
  return chosen_by(sampler, nullptr);
}

}  // namespace snellen::media
