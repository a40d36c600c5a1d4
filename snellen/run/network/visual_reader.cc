// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/network/visual_reader.h"

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

Result<VisualPixels> VisualReader::read_clip(const media::VisualPlace& place) const {
  ++num_decoded_;
  media::FrameSampler sampler;
  sampler.num_frames = options_.frames_a_clip;
  Result<media::Clip> clip = media::read_clip(place.path,
                                              *place.clip,
                                              media::chosen_by(sampler, nullptr),
                                              {.is_compat = options_.is_compat, .limits = {}});
  if (!clip) return clip.error();
  VisualPixels pixels;
  pixels.num_frames = static_cast<int64_t>(clip->frames.size());
  for (const media::Image& frame : clip->frames) {
    Result<media::PixelTensor> one = processor_.process(frame);
    if (!one) return one.error();
    pixels.height = one->height;
    pixels.width = one->width;
    pixels.values.insert(pixels.values.end(), one->values.begin(), one->values.end());
  }
  return pixels;
}

}  // namespace snellen::run
