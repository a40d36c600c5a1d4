// SPDX-License-Identifier: Apache-2.0
// A picture of any bytes: refused with an Error, or decoded to as many pixels as its size says.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "snellen/media/codecs/exif.h"
#include "snellen/media/codecs/formats.h"

namespace snellen::fuzz {

inline int decode_as(Result<media::Decoded> (*decode)(const media::EncodedView&),
                     const uint8_t* data,
                     size_t size) {
  const media::DecodeOptions options{
      .max_pixels = 1 << 20, .max_bytes = size_t{1} << 20, .apply_orientation = true};
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Result<media::Decoded> decoded = decode({bytes, "fuzz", options});
  if (!decoded) return 0;
  const media::Image& image = decoded->image;
  const size_t num_pixels = static_cast<size_t>(image.width) * static_cast<size_t>(image.height);
  if (image.pixels.size() != 3 * num_pixels) std::abort();
  if (media::oriented(image, decoded->orientation).pixels.size() != image.pixels.size())
    std::abort();
  return 0;
}

}  // namespace snellen::fuzz
