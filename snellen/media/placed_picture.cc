// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/placed_picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/media/corruptions/corruption.h"
#include "snellen/media/corruptions/frame_order.h"

namespace snellen::media {

std::string change_key(const VisualPlace& place) {
  std::string key;
  if (place.crop) {
    const CropBox& box = *place.crop;
    key += fmt::format("\tcrop {} {} {} {}", box.x, box.y, box.width, box.height);
  }
  for (const auto* made : {&place.first_corruption, &place.corruption}) {
    if (!*made) continue;
    const PlacedCorruption& one = **made;
    key += fmt::format("\t{}\t{}\t{}\t{}", one.name, one.seed, one.replicate, one.image_id);
  }
  return key;
}

bool shows_no_picture(const VisualPlace& place) {
  if (!place.corruption) return false;
  const Result<Corruption> corruption = corruption_of(place.corruption->name);
  return corruption && corruption->facts().shows == Shows::kNothing;
}

namespace {

// Frames that a corruption puts in another order are chosen by frames_as_placed().
Result<Image> with_corruption(Image picture,
                              const PlacedCorruption& made,
                              const VisualPlace& place,
                              std::optional<size_t> frame) {
  Result<Corruption> corruption = corruption_of(made.name);
  if (!corruption) return corruption.error().within(place.path.native());
  if (place.clip && corruption->facts().shows == Shows::kFrames) return picture;
  std::string image_id = made.image_id;
  if (frame) image_id += fmt::format("#{}", *frame);
  Result<Image> changed = corrupted(
      *corruption, picture, {.seed = made.seed, .image_id = image_id, .replicate = made.replicate});
  if (!changed) return changed.error().within(place.path.native());
  return changed;
}

}  // namespace

Result<Image> as_placed(Image picture, const VisualPlace& place, std::optional<size_t> frame) {
  if (place.crop) {
    const CropBox& box = *place.crop;
    const bool is_inside = box.x < picture.width && box.y < picture.height &&
                           int64_t{box.x} + box.width > 0 && int64_t{box.y} + box.height > 0;
    if (!is_inside) {
      return Error{
          ErrorCode::kInvalidInput,
          fmt::format("the crop [{}, {}, {}, {}] lies outside of the picture, which has {} x "
                      "{} pixels",
                      box.x,
                      box.y,
                      box.width,
                      box.height,
                      picture.width,
                      picture.height),
          place.path.native(),
          "crops are [x, y, width, height] in pixels"};
    }
    picture = cropped(picture, box);
  }
  for (const auto* made : {&place.first_corruption, &place.corruption}) {
    if (!*made) continue;
    Result<Image> changed = with_corruption(std::move(picture), **made, place, frame);
    if (!changed) return changed;
    picture = std::move(changed).value();
  }
  return picture;
}

namespace {

ChooseFrames sampled_frames(const VisualPlace& place, int64_t usual_frames) {
  if (!place.frames.empty()) {
    return [&place](std::span<const double> seconds) {
      FrameIndices frames = place.frames;
      for (int64_t& frame : frames)
        frame = std::min(frame, static_cast<int64_t>(seconds.size()) - 1);
      return frames;
    };
  }
  FrameSampler sampler = place.sampler.value_or(FrameSampler{.num_frames = 0});
  if (sampler.num_frames == 0 && sampler.kind != FrameSampler::Kind::kRate)
    sampler.num_frames = usual_frames;
  return chosen_by(sampler, nullptr);
}

}  // namespace

ChooseFrames frames_as_placed(const VisualPlace& place, int64_t usual_frames) {
  ChooseFrames sampled = sampled_frames(place, usual_frames);
  if (!place.corruption) return sampled;
  const std::optional<FrameOrder> order = frame_order_of(place.corruption->name);
  if (!order) return sampled;
  return [sampled, order, &place](std::span<const double> seconds) {
    const PlacedCorruption& made = *place.corruption;
    return in_order(sampled(seconds),
                    *order,
                    {.seed = made.seed, .image_id = made.image_id, .replicate = made.replicate});
  };
}

}  // namespace snellen::media
