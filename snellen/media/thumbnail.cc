// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/thumbnail.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "snellen/base/error.h"
#include "snellen/media/resample/resize.h"

namespace snellen::media {

Image thumbnail(const Image& image, int max_side) {
  SNELLEN_CHECK(max_side > 0 && image.width > 0 && image.height > 0);
  const int longest = std::max(image.width, image.height);
  if (longest <= max_side) return image;
  auto scaled = [&](int side) {
    return std::max(1, static_cast<int>((int64_t{side} * max_side + longest / 2) / longest));
  };
  return resize(
      image,
      {.width = scaled(image.width), .height = scaled(image.height), .filter = Filter::kBicubic});
}

Image square_thumbnail(const Image& image, int side) {
  SNELLEN_CHECK(side > 0 && image.width > 0 && image.height > 0);
  const int shortest = std::min(image.width, image.height);
  // Truncated, as torchvision computes the long side.
  auto scaled = [&](int length) {
    return static_cast<int>(
        std::min(int64_t{side} * length / shortest, int64_t{std::numeric_limits<int>::max()}));
  };
  ResizeTarget target;
  target.width = scaled(image.width);
  target.height = scaled(image.height);
  target.filter = Filter::kBilinear;
  // Half to even, as Python rounds.
  auto margin = [&](int length) { return static_cast<int>(std::nearbyint((length - side) / 2.0)); };
  target.window = Rectangle{margin(target.width), margin(target.height), side, side};
  return resize(image, target);
}

Image contact_strip(std::span<const Image> images, int side) {
  SNELLEN_CHECK(!images.empty() &&
                images.size() <= static_cast<size_t>(std::numeric_limits<int>::max() / side));
  Image strip = Image::blank(side * static_cast<int>(images.size()), side);
  for (size_t i = 0; i < images.size(); ++i) {
    const Image square = square_thumbnail(images[i], side);
    for (int y = 0; y < side; ++y) {
      const auto row = square.row(y);
      std::copy(row.begin(),
                row.end(),
                strip.row(y).begin() + static_cast<ptrdiff_t>(i * square.stride()));
    }
  }
  return strip;
}

}  // namespace snellen::media
