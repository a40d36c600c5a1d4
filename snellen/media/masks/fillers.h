// SPDX-License-Identifier: Apache-2.0
// What stands in for a removed background: a canvas of the picture's size (docs/spec/probe.md 6.6).
#pragma once

#include <cstdint>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/base/rng.h"
#include "snellen/media/image.h"

namespace snellen::media {

enum class Filler { kBlack, kGray, kNoise, kScene };

// "black", "gray", "noise", "scene"; an error that names the nearest for any other word.
Result<Filler> filler_of(std::string_view name);
std::string_view name_of(Filler filler);

inline constexpr uint8_t kGrayFill = 208;

// One value everywhere.
Image solid_canvas(int width, int height, uint8_t value);
// floor(127.5 + 64 * gauss + .5) clamped, row by row, R, G, B. The stream is
// `{seed}|probe-b-noise|{image id}`, from its beginning.
Image noise_canvas(int width, int height, const Rng& stream);
// Which of `num_scenes` files, sorted by the bytes of their names. The stream is
// `{seed}|probe-b-scene|{image id}`.
uint64_t draw_scene(uint64_t num_scenes, Rng stream);
// The scene scaled to cover the canvas keeping its aspect (bilinear as Pillow resizes), the larger
// side rounded half up, and cropped at its centre (the odd pixel falls off right or below).
Image scene_canvas(const Image& scene, int width, int height);

}  // namespace snellen::media
