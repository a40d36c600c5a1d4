// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/mask.h"

#include <algorithm>

#include "snellen/base/error.h"

namespace snellen::media {
namespace {

// Exchanges the colour from pixel `position` (column-major) on.
struct ColumnToggles {
  Mask& mask;
  uint64_t height;

  void add_run(uint64_t begin, uint64_t end) {
    uint64_t first = begin / height;
    uint64_t last = (end - 1) / height;
    toggle(first, begin - first * height);
    for (uint64_t x = first + 1; x <= last; ++x) toggle(x, 0);
    uint64_t after = end - last * height;
    if (after < height) toggle(last, after);
  }
  void toggle(uint64_t x, uint64_t y) { mask.bits[y * static_cast<uint64_t>(mask.width) + x] ^= 1; }
};

}  // namespace

Mask Mask::blank(int width, int height) {
  SNELLEN_CHECK(width > 0 && height > 0);
  Mask mask;
  mask.width = width;
  mask.height = height;
  mask.bits.resize(static_cast<size_t>(width) * static_cast<size_t>(height));
  return mask;
}

Mask mask_of(const Rle& rle) {
  Mask mask = Mask::blank(rle.width, rle.height);
  // Runs go down columns but rows lie together in memory: mark only where each column changes, then
  // carry every row into the next, which is one pass over whole rows.
  ColumnToggles toggles{mask, static_cast<uint64_t>(rle.height)};
  uint64_t position = 0;
  for (size_t i = 0; i < rle.counts.size(); ++i) {
    uint64_t end = position + rle.counts[i];
    SNELLEN_CHECK(end <= mask.bits.size());
    if (i % 2 == 1 && end > position) toggles.add_run(position, end);
    position = end;
  }
  auto width = static_cast<size_t>(rle.width);
  for (int y = 1; y < rle.height; ++y) {
    const uint8_t* above = mask.row(y - 1).data();
    uint8_t* here = mask.row(y).data();
    for (size_t x = 0; x < width; ++x) here[x] = static_cast<uint8_t>(here[x] ^ above[x]);
  }
  return mask;
}

Rle rle_of(const Mask& mask) {
  Rle rle{.height = mask.height, .width = mask.width, .counts = {}};
  uint8_t colour = 0;
  uint32_t run = 0;
  for (int x = 0; x < mask.width; ++x) {
    for (int y = 0; y < mask.height; ++y) {
      uint8_t bit = mask.row(y)[static_cast<size_t>(x)];
      if (bit != colour) {
        rle.counts.push_back(run);
        run = 0;
        colour = bit;
      }
      ++run;
    }
  }
  rle.counts.push_back(run);
  return rle;
}

uint64_t area_of(const Mask& mask) {
  uint64_t area = 0;
  for (uint8_t bit : mask.bits) area += bit;
  return area;
}

}  // namespace snellen::media
