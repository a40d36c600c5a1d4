// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/network/visual_reader.h"

#include <algorithm>

#include "snellen/media/codecs/decode.h"

namespace snellen::run {

Result<VisualPixels> VisualReader::decode(const MappedFile& file) const {
  ++num_decoded_;
  Result<media::Image> picture = media::decode_image(file.bytes(), file.path().native());
  if (!picture) return picture.error();
  Result<media::PixelTensor> made = processor_.process(*picture);
  if (!made) return made.error();
  media::PixelTensor pixels = std::move(made).value();
  return VisualPixels{.num_frames = 1,
                      .height = pixels.height,
                      .width = pixels.width,
                      .values = std::move(pixels.values)};
}

media::ChooseFrames VisualReader::choice_for(const media::VisualPlace& place) const {
  if (!place.frames.empty()) {
    return [&place](std::span<const double> seconds) {
      media::FrameIndices frames = place.frames;
      for (int64_t& frame : frames)
        frame = std::min(frame, static_cast<int64_t>(seconds.size()) - 1);
      return frames;
    };
  }
  media::FrameSampler sampler = place.sampler.value_or(media::FrameSampler{.num_frames = 0});
  if (sampler.num_frames == 0) sampler.num_frames = options_.frames_a_clip;
  return media::chosen_by(sampler, nullptr);
}

Result<VisualPixels> VisualReader::read_clip(const media::VisualPlace& place) const {
  ++num_decoded_;
  VisualPixels pixels;
  const media::ChooseFrames choose = choice_for(place);
  auto choose_and_note = [&](std::span<const double> seconds) {
    pixels.frames = choose(seconds);
    if (!options_.pads_clips) {
      pixels.frames.erase(std::unique(pixels.frames.begin(), pixels.frames.end()),
                          pixels.frames.end());
    }
    const bool is_too_long = pixels.frames.size() > kMostFrames;
    return is_too_long ? media::FrameIndices{0} : pixels.frames;
  };
  Result<media::Clip> clip = media::read_clip(
      place.path, *place.clip, choose_and_note, {.is_compat = options_.is_compat, .limits = {}});
  if (!clip) return clip.error();
  if (pixels.frames.size() > kMostFrames) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("{} frames would be shown, at most {}", pixels.frames.size(), kMostFrames),
        place.path.string(),
        "use --sampler uniform, or fps:N with a lower rate"};
  }
  pixels.num_frames = static_cast<int64_t>(clip->frames.size());
  for (const media::Image& frame : clip->frames) {
    Result<media::PixelTensor> one = processor_.process(frame);
    if (!one) return one.error();
    pixels.height = one->height;
    pixels.width = one->width;
    pixels.values.insert(pixels.values.end(), one->values.begin(), one->values.end());
  }
  if (options_.masks_clips) std::fill(pixels.values.begin(), pixels.values.end(), 0.0F);
  return pixels;
}

}  // namespace snellen::run
