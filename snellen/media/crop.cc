// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/crop.h"

#include <algorithm>

namespace snellen::media {

Image cropped(const Image& picture, const CropBox& box) {
  Image crop = Image::blank(box.width, box.height);
  int left = std::max(0, box.x);
  int right = std::min(picture.width, box.x + box.width);
  if (left >= right) return crop;
  for (int y = std::max(0, box.y); y < std::min(picture.height, box.y + box.height); ++y) {
    auto from = picture.row(y).subspan(static_cast<size_t>(left) * 3,
                                       static_cast<size_t>(right - left) * 3);
    auto to = crop.row(y - box.y).subspan(static_cast<size_t>(left - box.x) * 3, from.size());
    std::copy(from.begin(), from.end(), to.begin());
  }
  return crop;
}

}  // namespace snellen::media
