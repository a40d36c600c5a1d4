// SPDX-License-Identifier: Apache-2.0
// Pictures put together from a picture and a canvas of the same size, with hard edges.
#pragma once

#include "snellen/media/image.h"
#include "snellen/media/masks/mask.h"
#include "snellen/media/masks/patch.h"

namespace snellen::media {

// The picture where the mask is marked, the canvas elsewhere. All three of one size.
Image keep_marked(const Image& picture, const Mask& mask, const Image& canvas);

// The canvas inside the rectangle, the picture elsewhere; the rectangle lies inside the picture.
Image paste_patch(const Image& picture, const PatchPlace& place, const Image& canvas);

}  // namespace snellen::media
