// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/patch.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace snellen::media {
namespace {

// Marked pixels above and left of each corner: (height + 1) rows of (width + 1).
class Integral {
 public:
  explicit Integral(const Mask& mask)
      : stride_(static_cast<size_t>(mask.width) + 1),
        sums_(stride_ * (static_cast<size_t>(mask.height) + 1)) {
    for (int y = 0; y < mask.height; ++y) {
      uint32_t in_row = 0;
      const uint32_t* above = sums_.data() + stride_ * static_cast<size_t>(y);
      uint32_t* here = sums_.data() + stride_ * (static_cast<size_t>(y) + 1);
      const uint8_t* bits = mask.row(y).data();
      for (size_t x = 0; x + 1 < stride_; ++x) {
        in_row += bits[x];
        here[x + 1] = above[x + 1] + in_row;
      }
    }
  }

  // Calls free(x) for each x at which a rectangle with its top at y covers nothing.
  template <typename Free>
  void for_each_free(int y, int width, int height, Free free) const {
    const uint32_t* top = sums_.data() + stride_ * static_cast<size_t>(y);
    const uint32_t* bottom = top + stride_ * static_cast<size_t>(height);
    auto w = static_cast<size_t>(width);
    for (size_t x = 0; x + w < stride_; ++x) {
      if (bottom[x + w] - bottom[x] == top[x + w] - top[x]) free(static_cast<int>(x));
    }
  }

 private:
  size_t stride_;
  std::vector<uint32_t> sums_;
};

int scaled(double scale, int side) {
  return std::max(1, static_cast<int>(std::floor(scale * side)));
}

}  // namespace

std::optional<Patch> draw_patch(const Mask& objects, Rng stream, std::span<const double> scales) {
  Integral integral(objects);
  for (double scale : scales) {
    PatchPlace place{.x = 0,
                     .y = 0,
                     .width = scaled(scale, objects.width),
                     .height = scaled(scale, objects.height)};
    std::vector<uint64_t> free_in_row;
    uint64_t count = 0;
    for (int y = 0; y + place.height <= objects.height; ++y) {
      uint64_t before = count;
      integral.for_each_free(y, place.width, place.height, [&](int) { ++count; });
      free_in_row.push_back(count - before);
    }
    if (count == 0) continue;
    uint64_t wanted = stream.below(count);
    while (wanted >= free_in_row[static_cast<size_t>(place.y)])
      wanted -= free_in_row[static_cast<size_t>(place.y++)];
    uint64_t seen = 0;
    integral.for_each_free(place.y, place.width, place.height, [&](int x) {
      if (seen++ == wanted) place.x = x;
    });
    return Patch{.place = place, .num_positions = count};
  }
  return std::nullopt;
}

}  // namespace snellen::media
