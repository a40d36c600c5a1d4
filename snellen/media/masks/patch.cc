// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/patch.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace snellen::media {
namespace {

// Marked pixels of each column within the rows that a rectangle covers, which moves down row by
// row: the memory is that of one row.
class Window {
 public:
  Window(const Mask& mask, int height, int top = 0)
      : mask_(mask), height_(height), top_(top), counts_(static_cast<size_t>(mask.width)) {
    for (int y = top; y < top + height; ++y) add(y, 1);
  }

  void move_down() {
    add(top_, -1);
    add(top_ + height_, 1);
    ++top_;
  }

  // Calls free(x) for each x at which a rectangle of this width covers nothing.
  template <typename Free>
  void for_each_free(int width, Free free) const {
    const auto w = static_cast<size_t>(width);
    int64_t covered = 0;
    for (size_t end = 0; end < counts_.size(); ++end) {
      covered += counts_[end];
      if (end + 1 < w) continue;
      const size_t x = end + 1 - w;
      if (covered == 0) free(static_cast<int>(x));
      covered -= counts_[x];
    }
  }

 private:
  void add(int y, int32_t sign) {
    const uint8_t* bits = mask_.row(y).data();
    for (size_t x = 0; x < counts_.size(); ++x) counts_[x] += sign * int32_t{bits[x]};
  }

  const Mask& mask_;
  int height_;
  int top_;
  std::vector<int32_t> counts_;
};

int scaled(double scale, int side) {
  return std::max(1, static_cast<int>(std::floor(scale * side)));
}

}  // namespace

std::optional<Patch> draw_patch(const Mask& objects, Rng stream, std::span<const double> scales) {
  for (double scale : scales) {
    PatchPlace place{.x = 0,
                     .y = 0,
                     .width = scaled(scale, objects.width),
                     .height = scaled(scale, objects.height)};
    std::vector<uint64_t> free_in_row;
    uint64_t count = 0;
    Window window(objects, place.height);
    for (int y = 0; y + place.height <= objects.height; ++y) {
      if (y > 0) window.move_down();
      uint64_t before = count;
      window.for_each_free(place.width, [&](int) { ++count; });
      free_in_row.push_back(count - before);
    }
    if (count == 0) continue;
    uint64_t wanted = stream.below(count);
    while (wanted >= free_in_row[static_cast<size_t>(place.y)])
      wanted -= free_in_row[static_cast<size_t>(place.y++)];
    uint64_t seen = 0;
    Window(objects, place.height, place.y).for_each_free(place.width, [&](int x) {
      if (seen++ == wanted) place.x = x;
    });
    return Patch{.place = place, .num_positions = count};
  }
  return std::nullopt;
}

}  // namespace snellen::media
