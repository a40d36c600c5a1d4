// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/spoilt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

namespace snellen::media {
namespace {

constexpr uint8_t kOccluded = 128;

std::vector<uint32_t> permutation(size_t n, SplitMixStream& stream) {
  std::vector<uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (size_t i = n; i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
  return order;
}

}  // namespace

Image mean_colour(const Image& picture) {
  std::array<uint64_t, 3> sums{};
  for (size_t i = 0; i < picture.pixels.size(); ++i) sums[i % 3] += picture.pixels[i];
  double num_pixels = static_cast<double>(picture.width) * picture.height;
  Image out = Image::blank(picture.width, picture.height);
  std::array<uint8_t, 3> colour{};
  for (size_t c = 0; c < 3; ++c)
    colour[c] = static_cast<uint8_t>(std::nearbyint(static_cast<double>(sums[c]) / num_pixels));
  for (size_t i = 0; i < out.pixels.size(); ++i) out.pixels[i] = colour[i % 3];
  return out;
}

Image occluded(const Image& picture, double share) {
  SNELLEN_CHECK(share >= 0 && share <= 1);
  double area = share * picture.width * picture.height;
  double side = std::nearbyint(std::sqrt(area));
  double width = std::min<double>(side, picture.width);
  double height = std::min<double>(side, picture.height);
  if (width < side) height = std::min<double>(std::nearbyint(area / width), picture.height);
  if (height < side) width = std::min<double>(std::nearbyint(area / height), picture.width);
  Image out = picture;
  int left = (picture.width - static_cast<int>(width)) / 2;
  int top = (picture.height - static_cast<int>(height)) / 2;
  for (int y = top; y < top + static_cast<int>(height); ++y) {
    std::memset(out.row(y).data() + 3 * static_cast<size_t>(left),
                kOccluded,
                3 * static_cast<size_t>(width));
  }
  return out;
}

Image pixels_shuffled(const Image& picture, SplitMixStream& stream) {
  Image out = Image::blank(picture.width, picture.height);
  std::vector<uint32_t> order = permutation(picture.pixels.size() / 3, stream);
  for (size_t i = 0; i < order.size(); ++i)
    std::memcpy(out.pixels.data() + 3 * i, picture.pixels.data() + size_t{3} * order[i], 3);
  return out;
}

Result<Image> patches_shuffled(const Image& picture, int k, SplitMixStream& stream) {
  if (k < 1 || k > picture.width || k > picture.height) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("a picture of {} x {} has no grid of {} x {} patches",
                             picture.width,
                             picture.height,
                             k,
                             k),
                 "patchshuffle",
                 "use a smaller grid"};
  }
  auto grid = static_cast<size_t>(k);
  size_t width = static_cast<size_t>(picture.width) / grid;
  size_t height = static_cast<size_t>(picture.height) / grid;
  std::vector<uint32_t> order = permutation(grid * grid, stream);
  Image out = picture;
  for (size_t i = 0; i < order.size(); ++i) {
    size_t from_x = order[i] % grid * width;
    size_t from_y = order[i] / grid * height;
    size_t to_x = i % grid * width;
    size_t to_y = i / grid * height;
    for (size_t y = 0; y < height; ++y) {
      std::memcpy(out.row(static_cast<int>(to_y + y)).data() + 3 * to_x,
                  picture.row(static_cast<int>(from_y + y)).data() + 3 * from_x,
                  3 * width);
    }
  }
  return out;
}

}  // namespace snellen::media
