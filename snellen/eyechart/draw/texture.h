// SPDX-License-Identifier: Apache-2.0
// Colours that vary over a surface: smooth noise, patterns and materials. Pure functions.
#pragma once

#include <cstdint>

#include "snellen/eyechart/draw/geometry.h"
#include "snellen/eyechart/draw/look.h"

namespace snellen::eyechart {

// Smooth noise in [0, 1] with features about 1 wide; equal for equal arguments everywhere.
float noise_at(double x, double y, uint64_t salt);

// A point of a surface: where it lies on the drawing's grid, and how large a pixel is there.
struct SurfacePoint {
  Point grid;
  double pixel = 1;   // grid units
  uint64_t salt = 0;  // of this thing, so that no two have the same grain
};

// The colour of a look at a point, before shading.
Rgb surface_colour(const Look& look, const SurfacePoint& point);

// How much light a material throws back as a glint, and how much it lets through.
float gloss_of(Material material);
float opacity_of(Material material);

}  // namespace snellen::eyechart
