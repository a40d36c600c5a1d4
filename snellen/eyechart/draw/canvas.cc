// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/canvas.h"

#include <algorithm>
#include <cmath>

#include "snellen/eyechart/draw/coverage.h"

namespace snellen::eyechart {
namespace {

constexpr float kHalf = 0.5F;

uint8_t byte_of(float value) {
  return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255));
}

struct Range {
  int first;
  int last;  // exclusive
};

// The part of [start, start + length) inside [0, limit).
Range inside(int start, int length, int limit) {
  return {std::max(0, -start), std::min(length, limit - start)};
}

void set_covered(media::Mask& mask, const Layer& layer, uint8_t value) {
  const Range rows = inside(layer.top, layer.height, mask.height);
  const Range columns = inside(layer.left, layer.width, mask.width);
  for (int y = rows.first; y < rows.last; ++y) {
    const auto row = mask.row(layer.top + y);
    for (int x = columns.first; x < columns.last; ++x) {
      if (layer.cover[layer.at(x, y)] >= kHalf) *(row.data() + layer.left + x) = value;
    }
  }
}

}  // namespace

Layer Layer::blank(int left, int top, int width, int height) {
  Layer layer{left, top, width, height, {}, {}, {}};
  const size_t size = static_cast<size_t>(width) * static_cast<size_t>(height);
  layer.colours.resize(size);
  layer.opacity.resize(size);
  layer.cover.resize(size);
  return layer;
}

Canvas Canvas::blank(int width, int height) {
  Canvas canvas{width, height, {}};
  canvas.colours.resize(static_cast<size_t>(width) * static_cast<size_t>(height));
  return canvas;
}

void lay_over(Canvas& canvas, const Layer& layer, float opacity) {
  const Range rows = inside(layer.top, layer.height, canvas.height);
  const Range columns = inside(layer.left, layer.width, canvas.width);
  for (int y = rows.first; y < rows.last; ++y) {
    for (int x = columns.first; x < columns.last; ++x) {
      const size_t i = layer.at(x, y);
      Rgb& below = canvas.at(layer.left + x, layer.top + y);
      below = mix(below, layer.colours[i], layer.opacity[i] * opacity);
    }
  }
}

void drop_shadow(Canvas& canvas, double cx, double cy, double rx, double ry, float strength) {
  const int x0 = std::max(0, static_cast<int>(std::floor(cx - rx)));
  const int x1 = std::min(canvas.width - 1, static_cast<int>(std::ceil(cx + rx)));
  const int y0 = std::max(0, static_cast<int>(std::floor(cy - ry)));
  const int y1 = std::min(canvas.height - 1, static_cast<int>(std::ceil(cy + ry)));
  for (int y = y0; y <= y1; ++y) {
    for (int x = x0; x <= x1; ++x) {
      const double u = (x + 0.5 - cx) / rx;
      const double v = (y + 0.5 - cy) / ry;
      const double rest = 1 - u * u - v * v;
      if (rest <= 0) continue;
      canvas.at(x, y) = times(canvas.at(x, y), 1 - strength * static_cast<float>(rest * rest));
    }
  }
}

void paint_shape(Canvas& canvas, const Shape& shape, Rgb colour, float opacity) {
  Coverage coverage;
  coverage.fill(shape, canvas.frame());
  for (int y = 0; y < coverage.height(); ++y) {
    const auto row = coverage.row(y);
    for (int x = 0; x < coverage.width(); ++x) {
      Rgb& below = canvas.at(coverage.left() + x, coverage.top() + y);
      below = mix(below, colour, row[static_cast<size_t>(x)] * opacity);
    }
  }
}

media::Image image_of(const Canvas& canvas) {
  media::Image image = media::Image::blank(canvas.width, canvas.height);
  for (size_t i = 0; i < canvas.colours.size(); ++i) {
    image.pixels[i * 3] = byte_of(canvas.colours[i].r);
    image.pixels[i * 3 + 1] = byte_of(canvas.colours[i].g);
    image.pixels[i * 3 + 2] = byte_of(canvas.colours[i].b);
  }
  return image;
}

void mark(media::Mask& mask, const Layer& layer) {
  set_covered(mask, layer, 1);
}

void unmark(media::Mask& mask, const Layer& layer) {
  set_covered(mask, layer, 0);
}

}  // namespace snellen::eyechart
