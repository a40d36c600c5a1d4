// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "snellen/media/masks/rle.h"

namespace snellen::media {

// The mask of a COCO `segmentation` value, for a picture of this size: a list of polygons, united
// (those with fewer than 3 points are ignored), or {"size": [h, w], "counts": [..] or "..."} as
// crowd regions have it. An error for anything else and for a size that is not the picture's.
Result<Rle> rle_of_segmentation(std::string_view json,
                                int64_t height,
                                int64_t width,
                                const MaskLimits& limits = {});

}  // namespace snellen::media
