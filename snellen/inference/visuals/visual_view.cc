// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/visuals/visual_view.h"

#include "snellen/inference/visuals/visual_reader.h"
#include "snellen/media/placed_picture.h"

namespace snellen::inference {
namespace {

using View = models::View;

std::vector<media::Image> images_of(const VisualPixels& pixels) {
  std::vector<media::Image> images;
  const auto size = static_cast<ptrdiff_t>(3 * pixels.height * pixels.width);
  for (int64_t frame = 0; frame < pixels.num_frames; ++frame) {
    const auto begin = pixels.bytes.begin() + frame * size;
    images.push_back({.width = static_cast<int>(pixels.width),
                      .height = static_cast<int>(pixels.height),
                      .pixels = {begin, begin + size}});
    if (pixels.is_masked) std::fill(images.back().pixels.begin(), images.back().pixels.end(), 0);
  }
  return images;
}

Result<View> picture_view(const media::VisualPlace& place,
                          const NetworkParts& parts,
                          const VisualReader& reader) {
  const FileBytes file(place.path);
  bool has_alpha = false;
  Result<media::Image> decoded = SharedPictures::decoder(parts.rules.alpha_on_white)(
      file.bytes(), place.path.native(), has_alpha);
  if (!decoded) return decoded.error();
  Result<media::Image> changed = media::as_placed(media::Image(*decoded), place);
  if (!changed) return changed.error();
  Result<VisualPixels> pixels = reader.prepared(*changed);
  if (!pixels) return pixels.error();
  return View{.whole = std::move(decoded).value(), .shown = images_of(*pixels)};
}

}  // namespace

Result<View> view_of(const media::VisualPlace& place,
                     const NetworkParts& parts,
                     const BackendTraits& traits) {
  if (!parts.opened->processor)
    return Error{ErrorCode::kNotFound, "this model looks at no picture", place.path.string()};
  const VisualReader reader(*parts.opened->processor,
                            {.frames_per_clip = traits.frames_per_clip,
                             .pads_clips = traits.pads_clips,
                             .masks_clips = parts.masks_clips,
                             .is_compat = parts.is_compat});
  try {
    if (!place.clip) return picture_view(place, parts, reader);
    Result<VisualPixels> pixels = reader.read_clip(place);
    if (!pixels) return pixels.error();
    return View{.shown = images_of(*pixels), .frame_seconds = std::move(pixels->frame_seconds)};
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace snellen::inference
