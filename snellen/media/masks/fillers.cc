// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/fillers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "snellen/base/nearest.h"
#include "snellen/media/resample/resize.h"

namespace snellen::media {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"black", "gray", "noise", "scene"};

}  // namespace

Result<Filler> filler_of(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Filler>(i);
  }
  std::vector<std::string> known(kNames.begin(), kNames.end());
  return Error{ErrorCode::kUsage, fmt::format("no filler '{}'", name), "", suggest(name, known)};
}

std::string_view name_of(Filler filler) {
  return kNames[static_cast<size_t>(filler)];
}

Image solid_canvas(int width, int height, uint8_t value) {
  Image canvas = Image::blank(width, height);
  std::fill(canvas.pixels.begin(), canvas.pixels.end(), value);
  return canvas;
}

Image noise_canvas(int width, int height, Rng stream) {
  Image canvas = Image::blank(width, height);
  for (uint8_t& value : canvas.pixels) {
    double drawn = std::floor(127.5 + 64.0 * stream.gauss() + .5);
    value = static_cast<uint8_t>(std::clamp(drawn, 0.0, 255.0));
  }
  return canvas;
}

uint64_t draw_scene(uint64_t num_scenes, Rng stream) {
  return stream.below(num_scenes);
}

Image scene_canvas(const Image& scene, int width, int height) {
  SNELLEN_CHECK(width > 0 && height > 0);
  // n * numerator / denominator, rounded half up; sides are below 2^31.
  auto scaled = [](int64_t n, int64_t numerator, int64_t denominator) {
    return static_cast<int>((2 * n * numerator + denominator) / (2 * denominator));
  };
  ResizeTarget target{.width = width, .height = height, .filter = Filter::kBilinear};
  bool is_width_tighter = int64_t{width} * scene.height >= int64_t{height} * scene.width;
  if (is_width_tighter) {
    target.height = std::max(height, scaled(scene.height, width, scene.width));
  } else {
    target.width = std::max(width, scaled(scene.width, height, scene.height));
  }
  target.window = Rectangle{.left = (target.width - width) / 2,
                            .top = (target.height - height) / 2,
                            .width = width,
                            .height = height};
  return resize(scene, target);
}

}  // namespace snellen::media
