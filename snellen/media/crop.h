// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/media/image.h"

namespace snellen::media {

// In pixels, from the left upper corner; may reach over the picture's edges.
struct CropBox {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

// The box of the picture; what lies outside of the picture is black, as with Pillow's crop. Both
// sides are at least 1.
Image cropped(const Image& picture, const CropBox& box);

}  // namespace snellen::media
