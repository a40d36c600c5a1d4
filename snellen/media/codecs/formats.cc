// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/codecs/formats.h"

#include <cstring>

#include <fmt/format.h>

namespace snellen::media {

Error damaged(const EncodedView& source, ImageFormat format, std::string_view why) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("the {} picture cannot be read: {}", name_of(format), why),
               std::string(source.where)};
}

Error ends_early(const EncodedView& source, ImageFormat format) {
  return Error{
      ErrorCode::kInvalidInput,
      fmt::format("the {} picture ends early ({} bytes)", name_of(format), source.bytes.size()),
      std::string(source.where),
      "fetch the file again"};
}

std::optional<Error> refuse_size(const EncodedView& source,
                                 ImageFormat format,
                                 int64_t width,
                                 int64_t height) {
  constexpr int64_t kMaxSide = 1 << 30;  // so that products of two sides fit
  if (width <= 0 || height <= 0)
    return damaged(source, format, fmt::format("its size is {}x{}", width, height));
  if (width > kMaxSide || height > kMaxSide || width * height > source.options.max_pixels) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the {} picture claims {}x{} pixels, more than the limit of {}",
                             name_of(format),
                             width,
                             height,
                             source.options.max_pixels),
                 std::string(source.where)};
  }
  return std::nullopt;
}

void expand_indices(std::span<const uint8_t> indices, const Palette& palette, uint8_t* rgb) {
  for (uint8_t index : indices) {
    std::memcpy(rgb, palette[index].data(), 3);
    rgb += 3;
  }
}

void expand_grey(std::span<const uint8_t> grey, uint8_t* rgb) {
  for (uint8_t value : grey) {
    rgb[0] = rgb[1] = rgb[2] = value;
    rgb += 3;
  }
}

}  // namespace snellen::media
