// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/fillers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "snellen/base/nearest.h"

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

}  // namespace snellen::media
