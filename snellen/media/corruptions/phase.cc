// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <vector>

#include "snellen/media/corruptions/fourier.h"
#include "snellen/media/corruptions/spoilt.h"

namespace snellen::media {
namespace {

using Complex = std::complex<double>;

// A plane of height rows of width numbers, transformed along both sides.
class Plane {
 public:
  Plane(size_t width, size_t height)
      : width_(width), height_(height), values_(width * height), rows_(width), columns_(height) {}

  std::span<Complex> values() { return values_; }

  void forward() {
    for (size_t y = 0; y < height_; ++y) rows_.forward({values_.data() + y * width_, width_});
    along_columns([&](std::span<Complex> column) { columns_.forward(column); });
  }
  void inverse() {
    along_columns([&](std::span<Complex> column) { columns_.inverse(column); });
    for (size_t y = 0; y < height_; ++y) rows_.inverse({values_.data() + y * width_, width_});
  }

 private:
  template <typename Transform>
  void along_columns(Transform transform) {
    std::vector<Complex> column(height_);
    for (size_t x = 0; x < width_; ++x) {
      for (size_t y = 0; y < height_; ++y) column[y] = values_[y * width_ + x];
      transform(std::span<Complex>(column));
      for (size_t y = 0; y < height_; ++y) values_[y * width_ + x] = column[y];
    }
  }

  size_t width_;
  size_t height_;
  std::vector<Complex> values_;
  Fourier rows_;
  Fourier columns_;
};

// exp(i angle) for every frequency; opposite frequencies are conjugate, so that the picture stays
// real, and those that are their own opposite (the mean among them) are left alone. One draw for
// each frequency, row by row; the first of a pair decides.
std::vector<Complex> random_turns(size_t width, size_t height, SplitMixStream& stream) {
  std::vector<Complex> turns(width * height);
  for (size_t y = 0; y < height; ++y) {
    for (size_t x = 0; x < width; ++x) {
      double angle = 2.0 * std::numbers::pi * stream.u01();
      size_t here = y * width + x;
      size_t opposite = (height - y) % height * width + (width - x) % width;
      if (opposite < here) continue;
      turns[here] = opposite == here ? Complex{1.0} : std::polar(1.0, angle);
      turns[opposite] = std::conj(turns[here]);
    }
  }
  return turns;
}

}  // namespace

Image phases_randomised(const Image& picture, SplitMixStream& stream) {
  auto width = static_cast<size_t>(picture.width);
  auto height = static_cast<size_t>(picture.height);
  std::vector<Complex> turns = random_turns(width, height, stream);
  Plane plane(width, height);
  std::span<Complex> values = plane.values();
  Image out = Image::blank(picture.width, picture.height);
  for (size_t c = 0; c < 3; ++c) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = picture.pixels[3 * i + c];
    plane.forward();
    for (size_t i = 0; i < values.size(); ++i) values[i] *= turns[i];
    plane.inverse();
    for (size_t i = 0; i < values.size(); ++i) {
      double value = std::clamp(values[i].real(), 0.0, 255.0);
      out.pixels[3 * i + c] = static_cast<uint8_t>(std::nearbyint(value));
    }
  }
  return out;
}

}  // namespace snellen::media
