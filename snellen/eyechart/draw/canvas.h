// SPDX-License-Identifier: Apache-2.0
// The picture while it is being painted, and the things that lie on it.
#pragma once

#include <vector>

#include "snellen/eyechart/draw/geometry.h"
#include "snellen/eyechart/draw/look.h"
#include "snellen/media/image.h"
#include "snellen/media/masks/mask.h"

namespace snellen::eyechart {

// A rectangle of colours with coverage that will be laid over a canvas.
struct Layer {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
  std::vector<Rgb> colours;    // width * height
  std::vector<float> opacity;  // 0 to 1
  std::vector<float> cover;    // 0 to 1: belongs to the thing, however transparent

  static Layer blank(int left, int top, int width, int height);
  size_t at(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
  }
};

struct Canvas {
  int width = 0;
  int height = 0;
  std::vector<Rgb> colours;

  static Canvas blank(int width, int height);
  Rgb& at(int x, int y) {
    return colours[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  }
  Box frame() const { return {0, 0, static_cast<double>(width), static_cast<double>(height)}; }
};

// `opacity` weakens the whole layer.
void lay_over(Canvas& canvas, const Layer& layer, float opacity = 1);

// A soft dark ellipse: strongest in the middle, gone at the rim.
void drop_shadow(Canvas& canvas, double cx, double cy, double rx, double ry, float strength);

// A flat shape, smooth at its edges.
void paint_shape(Canvas& canvas, const Shape& shape, Rgb colour, float opacity = 1);

media::Image image_of(const Canvas& canvas);

// Pixels of which the thing covers at least half.
void mark(media::Mask& mask, const Layer& layer);
void unmark(media::Mask& mask, const Layer& layer);

}  // namespace snellen::eyechart
