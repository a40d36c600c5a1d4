// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/image.h"

#include "snellen/base/error.h"

namespace snellen::media {

Image Image::blank(int width, int height) {
  SNELLEN_CHECK(width > 0 && height > 0);
  Image image;
  image.width = width;
  image.height = height;
  image.pixels.resize(image.stride() * static_cast<size_t>(height));
  return image;
}

}  // namespace snellen::media
