// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "snellen/media/masks/rle.h"

namespace snellen::media {

// The pixels of a polygon exactly as COCO's mask library fills it (docs/spec/probe.md 6.5): the
// boundary is walked on a grid five times as fine, so borders differ from even-odd filling of pixel
// centres. `xy` is x0, y0, x1, y1, ...; at least 3 points. An error for an odd number of
// coordinates, fewer points, a coordinate that is not finite or beyond +-1e6, or limits exceeded.
Result<Rle> rle_of_polygon(std::span<const double> xy,
                           int64_t height,
                           int64_t width,
                           const MaskLimits& limits = {});

}  // namespace snellen::media
