// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/fillers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "snellen/base/hash.h"
#include "snellen/base/nearest.h"
#include "snellen/base/splitmix.h"
#include "snellen/media/corruptions/gauss_pairs.h"
#include "snellen/media/resample/resize.h"

namespace snellen::media {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"black", "gray", "noise", "scene"};

// What Rng::gauss gives for the two draws after `state`, or its partner.
double exact_gauss(uint64_t state, bool is_partner) {
  auto u01 = [&] {
    state += kSplitMixGamma;
    return static_cast<double>(splitmix64(state) >> 11) * 0x1.0p-53;
  };
  double radius = std::sqrt(-2.0 * std::log(1.0 - u01()));
  double angle = 2.0 * std::numbers::pi * u01();
  return radius * (is_partner ? std::sin(angle) : std::cos(angle));
}

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

Image noise_canvas(int width, int height, const Rng& stream) {
  Image canvas = Image::blank(width, height);
  constexpr size_t kValuesAtOnce = 4096;
  std::vector<double> values(kValuesAtOnce);
  uint64_t state = fnv1a64(stream.key());
  for (size_t begin = 0; begin < canvas.pixels.size(); begin += kValuesAtOnce) {
    fill_gauss_pairs(state, values, best_simd_level(), NonZero::kMirrored);
    size_t count = std::min(kValuesAtOnce, canvas.pixels.size() - begin);
    for (size_t i = 0; i < count; ++i) {
      double level = 128.0 + 64.0 * values[i];
      // The quick normals are right to some 1e-14; a level so near a whole number that this could
      // decide is made again with the library's functions.
      if (std::abs(level - std::nearbyint(level)) < 1e-9) {
        double exact = exact_gauss(state + (i & ~size_t{1}) * kSplitMixGamma, i % 2 == 1);
        level = 127.5 + 64.0 * exact + .5;
      }
      canvas.pixels[begin + i] = static_cast<uint8_t>(std::clamp(std::floor(level), 0.0, 255.0));
    }
    state += kValuesAtOnce * kSplitMixGamma;
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
