// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "snellen/media/image.h"

namespace snellen::media {

// The orientation tag (1 to 8) of an EXIF block, with or without its "Exif\0\0" prefix; 1 when the
// block is malformed or has none.
int exif_orientation(std::string_view block);

// The picture turned upright, as Pillow's ImageOps.exif_transpose does.
Image oriented(Image image, int orientation);

}  // namespace snellen::media
