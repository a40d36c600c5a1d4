// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "snellen/media/masks/mask.h"

namespace snellen::eyechart {

struct PixelPoint {
  int x = 0;
  int y = 0;

  bool operator==(const PixelPoint&) const = default;
};

// The outer borders of a mask's connected pieces (side by side, not corner to corner), along pixel
// edges, clockwise, as COCO's annotators would have drawn them: points closer than `tolerance`
// pixels to the line between their neighbours are left out, holes are filled, and pieces of fewer
// than `min_pixels` are dropped. Largest piece first.
std::vector<std::vector<PixelPoint>> outlines_of(const media::Mask& mask,
                                                 double tolerance = 0.75,
                                                 int min_pixels = 12);

}  // namespace snellen::eyechart
