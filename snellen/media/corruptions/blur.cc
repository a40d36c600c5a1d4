// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "snellen/media/corruptions/spoilt.h"

namespace snellen::media {
namespace {

constexpr double kTruncate = 4.0;

// Weights for distances 0..radius, with sum 1 over both sides.
std::vector<double> weights_of(double sigma) {
  auto radius = static_cast<size_t>(kTruncate * sigma + 0.5);
  std::vector<double> weights(radius + 1);
  double sum = 0;
  for (size_t d = 0; d <= radius; ++d) {
    auto distance = static_cast<double>(d);
    weights[d] = std::exp(-0.5 / (sigma * sigma) * distance * distance);
    sum += d == 0 ? weights[d] : 2 * weights[d];
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

// Where the mirrored picture has index i: d c b a | a b c d | d c b a.
size_t mirrored(int64_t i, int64_t size) {
  int64_t period = 2 * size;
  int64_t inside = (i % period + period) % period;
  return static_cast<size_t>(inside < size ? inside : period - 1 - inside);
}

// Sums rows (each of `stride` doubles) of `from` into one, weighted around row `centre`.
void add_around(const std::vector<const double*>& rows,
                size_t centre,
                const std::vector<double>& weights,
                double* to,
                size_t stride) {
  const double* middle = rows[centre];
  for (size_t i = 0; i < stride; ++i) to[i] = weights[0] * middle[i];
  for (size_t d = 1; d < weights.size(); ++d) {
    const double* before = rows[centre - d];
    const double* after = rows[centre + d];
    double weight = weights[d];
    for (size_t i = 0; i < stride; ++i) to[i] += weight * (before[i] + after[i]);
  }
}

// One row of pixels blurred along itself.
void blur_row(std::span<const uint8_t> row,
              const std::vector<double>& weights,
              std::vector<double>& padded,
              double* to) {
  size_t radius = weights.size() - 1;
  size_t width = row.size() / 3;
  padded.resize(3 * (width + 2 * radius));
  for (size_t x = 0; x < width + 2 * radius; ++x) {
    size_t from = mirrored(static_cast<int64_t>(x) - static_cast<int64_t>(radius),
                           static_cast<int64_t>(width));
    for (size_t c = 0; c < 3; ++c) padded[3 * x + c] = row[3 * from + c];
  }
  const double* middle = padded.data() + 3 * radius;
  for (size_t i = 0; i < 3 * width; ++i) to[i] = weights[0] * middle[i];
  for (size_t d = 1; d <= radius; ++d) {
    const double* before = middle - 3 * d;
    const double* after = middle + 3 * d;
    double weight = weights[d];
    for (size_t i = 0; i < 3 * width; ++i) to[i] += weight * (before[i] + after[i]);
  }
}

}  // namespace

Image blurred(const Image& picture, double sigma) {
  SNELLEN_CHECK(sigma > 0);
  std::vector<double> weights = weights_of(sigma);
  size_t radius = weights.size() - 1;
  size_t stride = picture.stride();
  auto height = static_cast<size_t>(picture.height);
  std::vector<double> along(stride * height);
  std::vector<double> padded;
  for (size_t y = 0; y < height; ++y)
    blur_row(picture.row(static_cast<int>(y)), weights, padded, along.data() + stride * y);
  std::vector<const double*> rows(height + 2 * radius);
  for (size_t y = 0; y < rows.size(); ++y) {
    size_t from = mirrored(static_cast<int64_t>(y) - static_cast<int64_t>(radius),
                           static_cast<int64_t>(height));
    rows[y] = along.data() + stride * from;
  }
  Image out = Image::blank(picture.width, picture.height);
  std::vector<double> sums(stride);
  for (size_t y = 0; y < height; ++y) {
    add_around(rows, y + radius, weights, sums.data(), stride);
    std::span<uint8_t> to = out.row(static_cast<int>(y));
    for (size_t i = 0; i < stride; ++i)
      to[i] = static_cast<uint8_t>(std::nearbyint(std::clamp(sums[i], 0.0, 255.0)));
  }
  return out;
}

}  // namespace snellen::media
