// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/painter.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "snellen/eyechart/draw/coverage.h"
#include "snellen/eyechart/draw/texture.h"

namespace snellen::eyechart {
namespace {

constexpr Box kReach{-4096, -4096, 4096, 4096};
constexpr int kMargin = 3;  // room for the rim

std::span<const Part> wanted_parts(const Sketch& sketch, Parts which) {
  const std::span<const Part> all = sketch.parts();
  const size_t cut = std::min(sketch.first_in_front(), all.size());
  if (which == Parts::kBack) return all.first(cut);
  if (which == Parts::kFront) return all.subspan(cut);
  return all;
}

// Paints the parts of one thing onto its layer.
class PartPainter {
 public:
  PartPainter(Layer& layer, const Look& look, const PaintOptions& options)
      : layer_(layer), look_(look), options_(options), to_grid_(options.place.inverse()) {
    pixel_ = std::sqrt(std::abs(to_grid_.xx * to_grid_.yy - to_grid_.xy * to_grid_.yx));
  }

  void paint(const Part& part, const Shape& shape) {
    coverage_.fill(shape, kReach);
    const bool is_textured = part.role != Role::kFixed && part.role != Role::kInk;
    const float opacity = part.role == Role::kFixed ? part.opacity
                          : is_textured             ? opacity_of(look_.material)
                                                    : 1.0F;
    const Rgb flat = part.role == Role::kFixed ? part.rgb : ink();
    // A glow is light, not a thing: it does not belong to the mask.
    const bool is_body = part.role != Role::kFixed || part.opacity >= 0.5F;
    for (int y = 0; y < coverage_.height(); ++y) {
      const auto row = coverage_.row(y);
      for (int x = 0; x < coverage_.width(); ++x) {
        const float cover = row[static_cast<size_t>(x)];
        if (cover <= 0) continue;
        const int px = coverage_.left() + x;
        const int py = coverage_.top() + y;
        const Rgb colour = is_textured ? textured(part.role, px, py) : flat;
        blend(layer_.at(px - layer_.left, py - layer_.top), colour, cover * opacity);
        if (is_body) {
          float& covered = layer_.cover[layer_.at(px - layer_.left, py - layer_.top)];
          covered += (1 - covered) * cover;
        }
      }
    }
  }

 private:
  Rgb ink() const {
    const Rgb main = kColours[look_.colour].rgb;
    return luma(main) > 0.30F ? times(main, 0.42F) : mix(main, {1, 1, 1}, 0.35F);
  }

  Rgb textured(Role role, int px, int py) const {
    const Point grid = to_grid_({px + 0.5, py + 0.5});
    const Rgb colour = surface_colour(look_, {grid, pixel_, options_.salt});
    if (role == Role::kShade) return times(colour, 0.74F);
    if (role == Role::kTint) return mix(colour, {1, 1, 1}, 0.32F);
    return colour;
  }

  // Over what is there already, both with their opacity.
  void blend(size_t i, Rgb colour, float opacity) {
    const float below = layer_.opacity[i];
    const float total = opacity + below * (1 - opacity);
    if (total <= 0) return;
    layer_.colours[i] = mix(layer_.colours[i], colour, opacity / total);
    layer_.opacity[i] = total;
  }

  Layer& layer_;
  const Look& look_;
  const PaintOptions& options_;
  Affine to_grid_;
  double pixel_;
  Coverage coverage_;
};

// The mean over a window of 2 * radius + 1, along rows or columns; outside is 0.
void blur_lines(
    std::vector<float>& values, int count, int length, int step, int line_step, int radius) {
  std::vector<float> sums(static_cast<size_t>(length) + 1);
  for (int line = 0; line < count; ++line) {
    float* start = values.data() + static_cast<ptrdiff_t>(line) * line_step;
    double sum = 0;
    for (int i = 0; i < length; ++i) {
      sums[static_cast<size_t>(i)] = static_cast<float>(sum);
      sum += start[static_cast<ptrdiff_t>(i) * step];
    }
    sums[static_cast<size_t>(length)] = static_cast<float>(sum);
    for (int i = 0; i < length; ++i) {
      const auto from = static_cast<size_t>(std::max(0, i - radius));
      const auto to = static_cast<size_t>(std::min(length, i + radius + 1));
      start[static_cast<ptrdiff_t>(i) * step] =
          (sums[to] - sums[from]) / static_cast<float>(2 * radius + 1);
    }
  }
}

void blur(std::vector<float>& values, int width, int height, int radius) {
  for (int pass = 0; pass < 2; ++pass) {
    blur_lines(values, height, width, 1, width, radius);
    blur_lines(values, width, height, width, 1, radius);
  }
}

float sample(const std::vector<float>& values, const Layer& layer, int x, int y) {
  if (x < 0 || y < 0 || x >= layer.width || y >= layer.height) return 0;
  return values[layer.at(x, y)];
}

void light(Layer& layer, float gloss) {
  std::vector<float> heights = layer.cover;
  const int radius = std::max(2, std::min(layer.width, layer.height) / 16);
  blur(heights, layer.width, layer.height, radius);
  for (int y = 0; y < layer.height; ++y) {
    for (int x = 0; x < layer.width; ++x) {
      const size_t i = layer.at(x, y);
      if (layer.opacity[i] <= 0) continue;
      const float dx = sample(heights, layer, x + 1, y) - sample(heights, layer, x - 1, y);
      const float dy = sample(heights, layer, x, y + 1) - sample(heights, layer, x, y - 1);
      const float slope = static_cast<float>(radius) * (0.6F * dx + 0.8F * dy);
      const float shade = std::clamp(slope, -0.55F, 0.55F);
      const float fall = 0.06F - 0.12F * static_cast<float>(y) / static_cast<float>(layer.height);
      Rgb& colour = layer.colours[i];
      const float lit = shade + fall;
      colour = lit > 0 ? mix(colour, {1, 1, 0.97F}, std::min(0.45F, 0.5F * lit))
                       : times(colour, std::max(0.5F, 1 + 0.62F * lit));
      const float glint = std::clamp((slope - 0.26F) * 4, 0.0F, 1.0F) * gloss;
      colour = mix(colour, {1, 1, 1}, 0.55F * glint);
    }
  }
}

// A dark line of about a pixel around the silhouette.
void add_rim(Layer& layer) {
  std::vector<float> spread = layer.cover;
  blur_lines(spread, layer.height, layer.width, 1, layer.width, 1);
  blur_lines(spread, layer.width, layer.height, layer.width, 1, 1);
  for (size_t i = 0; i < spread.size(); ++i) {
    const float rim = std::clamp(spread[i] * 1.6F, 0.0F, 1.0F) * 0.62F;
    const float below = rim * (1 - layer.opacity[i]);
    if (below <= 0 || layer.cover[i] > 0.98F) continue;
    const float total = layer.opacity[i] + below;
    layer.colours[i] = mix(layer.colours[i], {0.10F, 0.09F, 0.10F}, below / total);
    layer.opacity[i] = total;
  }
}

}  // namespace

Layer paint(const Sketch& sketch, const Look& look, const PaintOptions& options) {
  std::vector<Shape> shapes;
  Box box = empty_box();
  const std::span<const Part> parts = wanted_parts(sketch, options.parts);
  shapes.reserve(parts.size());
  for (const Part& part : parts) {
    shapes.push_back(mapped(part.shape, options.place));
    box = around(box, box_of(shapes.back()));
  }
  if (parts.empty()) return Layer::blank(0, 0, 0, 0);
  box = {std::max(box.x0, kReach.x0 + kMargin),
         std::max(box.y0, kReach.y0 + kMargin),
         std::min(box.x1, kReach.x1 - kMargin),
         std::min(box.y1, kReach.y1 - kMargin)};
  if (!(box.x1 > box.x0) || !(box.y1 > box.y0)) return Layer::blank(0, 0, 0, 0);
  const int left = static_cast<int>(std::floor(box.x0)) - kMargin;
  const int top = static_cast<int>(std::floor(box.y0)) - kMargin;
  Layer layer = Layer::blank(left,
                             top,
                             static_cast<int>(std::ceil(box.x1)) + kMargin - left,
                             static_cast<int>(std::ceil(box.y1)) + kMargin - top);
  PartPainter painter(layer, look, options);
  for (size_t i = 0; i < parts.size(); ++i) painter.paint(parts[i], shapes[i]);
  if (options.is_shaded) {
    light(layer, gloss_of(look.material));
    add_rim(layer);
  }
  return layer;
}

}  // namespace snellen::eyechart
