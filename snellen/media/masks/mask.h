// SPDX-License-Identifier: Apache-2.0
// Which pixels belong to something: one byte a pixel (0 or 1), rows top to bottom like a picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "snellen/media/masks/rle.h"

namespace snellen::media {

struct Mask {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> bits;  // height * width bytes

  // Nothing marked; both sides at least 1.
  static Mask blank(int width, int height);

  std::span<uint8_t> row(int y) {
    return {bits.data() + static_cast<size_t>(width) * static_cast<size_t>(y),
            static_cast<size_t>(width)};
  }
  std::span<const uint8_t> row(int y) const {
    return {bits.data() + static_cast<size_t>(width) * static_cast<size_t>(y),
            static_cast<size_t>(width)};
  }

  bool operator==(const Mask&) const = default;
};

// Run lengths to pixels and back (COCO's decode and encode).
Mask mask_of(const Rle& rle);
Rle rle_of(const Mask& mask);

// Marked pixels.
uint64_t area_of(const Mask& mask);

}  // namespace snellen::media
