// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/composite.h"

#include <cstring>

#include "snellen/base/error.h"

namespace snellen::media {

Image keep_marked(const Image& picture, const Mask& mask, const Image& canvas) {
  SNELLEN_CHECK(picture.width == mask.width && picture.height == mask.height);
  SNELLEN_CHECK(picture.width == canvas.width && picture.height == canvas.height);
  Image out = canvas;
  auto width = static_cast<size_t>(mask.width);
  for (int y = 0; y < mask.height; ++y) {
    const uint8_t* bits = mask.row(y).data();
    const uint8_t* from = picture.row(y).data();
    uint8_t* to = out.row(y).data();
    // Marked pixels come in runs; memchr finds their ends many bytes at a time.
    for (size_t x = 0; x < width;) {
      const void* begin = std::memchr(bits + x, 1, width - x);
      if (begin == nullptr) break;
      x = static_cast<size_t>(static_cast<const uint8_t*>(begin) - bits);
      const void* end = std::memchr(bits + x, 0, width - x);
      size_t stop =
          end == nullptr ? width : static_cast<size_t>(static_cast<const uint8_t*>(end) - bits);
      std::memcpy(to + 3 * x, from + 3 * x, 3 * (stop - x));
      x = stop;
    }
  }
  return out;
}

Image paste_patch(const Image& picture, const PatchPlace& place, const Image& canvas) {
  SNELLEN_CHECK(picture.width == canvas.width && picture.height == canvas.height);
  SNELLEN_CHECK(place.x >= 0 && place.y >= 0 && place.width >= 0 && place.height >= 0);
  SNELLEN_CHECK(place.width <= picture.width - place.x);
  SNELLEN_CHECK(place.height <= picture.height - place.y);
  Image out = picture;
  size_t offset = 3 * static_cast<size_t>(place.x);
  for (int y = place.y; y < place.y + place.height; ++y) {
    std::memcpy(out.row(y).data() + offset,
                canvas.row(y).data() + offset,
                3 * static_cast<size_t>(place.width));
  }
  return out;
}

}  // namespace snellen::media
