// SPDX-License-Identifier: Apache-2.0
// A decoded picture: 8-bit RGB, rows top to bottom, pixels left to right, three bytes a pixel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace snellen::media {

struct Image {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> pixels;  // height * width * 3 bytes

  // A picture of one colour (black), with both sides at least 1.
  static Image blank(int width, int height);

  std::span<uint8_t> row(int y) {
    return {pixels.data() + stride() * static_cast<size_t>(y), stride()};
  }
  std::span<const uint8_t> row(int y) const {
    return {pixels.data() + stride() * static_cast<size_t>(y), stride()};
  }
  size_t stride() const { return static_cast<size_t>(width) * 3; }

  bool operator==(const Image&) const = default;
};

}  // namespace snellen::media
