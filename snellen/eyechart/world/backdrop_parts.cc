// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/backdrop_parts.h"

#include <algorithm>
#include <cmath>

#include "snellen/eyechart/draw/shapes.h"
#include "snellen/eyechart/draw/texture.h"

namespace snellen::eyechart {
namespace {

constexpr Rgb kWhite{1, 1, 1};

Rgb pastel(Rng& rng, float light) {
  const Rgb base{
      static_cast<float>(rng.u01()), static_cast<float>(rng.u01()), static_cast<float>(rng.u01())};
  return mix(base, {light, light, light}, 0.72F);
}

}  // namespace

BackdropPainter::BackdropPainter(Canvas& canvas, const Backdrop& backdrop)
    : canvas_(canvas),
      backdrop_(backdrop),
      horizon_(static_cast<int>(std::lround(backdrop.horizon * canvas.height))) {}

Rng BackdropPainter::stream(const char* purpose) const {
  return Rng(backdrop_.salt).fork(purpose);
}

void BackdropPainter::fill(const Shape& shape, Rgb colour, float opacity) {
  paint_shape(canvas_, mapped(shape, scaled(canvas_.width, canvas_.height)), colour, opacity);
}

void BackdropPainter::sky(bool is_sunny) {
  const Rgb top = is_sunny ? Rgb{0.42F, 0.66F, 0.92F} : Rgb{0.62F, 0.67F, 0.73F};
  const Rgb low = is_sunny ? Rgb{0.82F, 0.91F, 0.97F} : Rgb{0.80F, 0.83F, 0.86F};
  const float wanted = is_sunny ? 0.58F : 0.44F;
  for (int y = 0; y < horizon_; ++y) {
    const float down = static_cast<float>(y) / static_cast<float>(horizon_);
    for (int x = 0; x < canvas_.width; ++x) {
      const double u = 5.0 * x / canvas_.width;
      const double v = 11.0 * y / canvas_.height;
      const float cloud = 0.65F * noise_at(u, v, backdrop_.salt) +
                          0.35F * noise_at(u * 2.7, v * 2.7, backdrop_.salt + 1);
      const float share = std::clamp((cloud - wanted) * 4, 0.0F, 0.85F);
      canvas_.at(x, y) = mix(mix(top, low, down), kWhite, share);
    }
  }
  if (!is_sunny) return;
  Rng rng = stream("sun");
  const double x = 0.12 + 0.76 * rng.u01();
  const double aspect = static_cast<double>(canvas_.width) / canvas_.height;
  for (int i = 4; i >= 0; --i) {
    const double r = 0.045 + 0.012 * i;
    fill(oval(x, 0.11, r, r * aspect), {1, 0.95F, 0.70F}, i == 0 ? 0.95F : 0.14F);
  }
}

void BackdropPainter::hills(Rgb colour, double height) {
  Rng rng = stream("hills");
  for (int layer = 0; layer < 2; ++layer) {
    Contour outline = {{0, backdrop_.horizon + 0.02}};
    const double phase = 6.28 * rng.u01();
    const double rise = height * (1 - 0.4 * layer);
    for (int i = 0; i <= 24; ++i) {
      const double x = i / 24.0;
      const double wave =
          std::sin(x * (5 + 2 * layer) + phase) + 0.5 * std::sin(x * 11 + phase * 2);
      outline.push_back({x, backdrop_.horizon - rise * (0.55 + 0.3 * wave)});
    }
    outline.push_back({1, backdrop_.horizon + 0.02});
    fill({outline}, mix(colour, kWhite, layer == 0 ? 0.28F : 0.05F));
  }
}

void BackdropPainter::sea() {
  const double top = backdrop_.horizon - 0.13;
  fill(slab(0, top, 1, backdrop_.horizon + 0.02), {0.24F, 0.52F, 0.72F});
  Rng rng = stream("sea");
  for (int i = 0; i < 14; ++i) {
    const double y = top + 0.13 * rng.u01();
    const double x = rng.u01();
    fill(slab(x, y, x + 0.05 + 0.08 * rng.u01(), y + 0.005, 0.002), {0.75F, 0.88F, 0.94F}, 0.55F);
  }
}

void BackdropPainter::houses() {
  Rng rng = stream("houses");
  for (double x = -0.03; x < 1;) {
    const double width = 0.12 + 0.10 * rng.u01();
    const double top = backdrop_.horizon - 0.16 - 0.20 * rng.u01();
    const Rgb colour = mix(pastel(rng, 0.72F), {0.75F, 0.78F, 0.82F}, 0.35F);
    fill(slab(x, top, x + width - 0.006, backdrop_.horizon + 0.02), colour);
    for (double wy = top + 0.03; wy < backdrop_.horizon - 0.05; wy += 0.06) {
      for (double wx = x + 0.02; wx < x + width - 0.04; wx += 0.042) {
        fill(slab(wx, wy, wx + 0.022, wy + 0.032), {0.92F, 0.94F, 0.88F}, 0.55F);
      }
    }
    x += width;
  }
}

void BackdropPainter::ground(Rgb far, Rgb near, float grain) {
  for (int y = horizon_; y < canvas_.height; ++y) {
    const float down =
        static_cast<float>(y - horizon_) / static_cast<float>(canvas_.height - horizon_);
    // Grain grows towards the viewer, as ground does.
    const double scale = 60.0 / (0.35 + down);
    for (int x = 0; x < canvas_.width; ++x) {
      const float speck = noise_at(scale * (static_cast<double>(x) / canvas_.width - 0.5),
                                   0.6 * scale * y / canvas_.height,
                                   backdrop_.salt + 2);
      canvas_.at(x, y) = times(mix(far, near, down), 1 + grain * (speck - 0.5F));
    }
  }
}

void BackdropPainter::tufts(Rgb colour) {
  Rng rng = stream("tufts");
  for (int i = 0; i < 26; ++i) {
    const double y = backdrop_.horizon + 0.04 + (0.95 - backdrop_.horizon) * rng.u01();
    const double x = rng.u01();
    const double h = 0.012 + 0.02 * (y - backdrop_.horizon);
    for (const double lean : {-0.006, 0.0, 0.006}) {
      fill(poly({{x - 0.003, y}, {x + 0.003, y}, {x + lean, y - h}}), colour, 0.65F);
    }
    if (i % 5 == 0) fill(oval(x, y - h, 0.006, 0.006), pastel(rng, 0.98F));
  }
}

void BackdropPainter::road_marks() {
  const double y = backdrop_.horizon + 0.62 * (1 - backdrop_.horizon);
  fill(slab(0, backdrop_.horizon, 1, backdrop_.horizon + 0.035), {0.76F, 0.74F, 0.70F});
  fill(slab(0, backdrop_.horizon + 0.035, 1, backdrop_.horizon + 0.045), {0.50F, 0.49F, 0.47F});
  for (double x = 0.04; x < 1; x += 0.22) {
    fill(poly({{x + 0.01, y}, {x + 0.12, y}, {x + 0.11, y + 0.022}, {x, y + 0.022}}),
         {0.93F, 0.92F, 0.86F});
  }
}

void BackdropPainter::wall() {
  Rng rng = stream("wall");
  const Rgb colour = pastel(rng, 0.86F);
  const bool is_lined = rng.below(2) == 0;
  for (int y = 0; y < horizon_; ++y) {
    const float down = static_cast<float>(y) / static_cast<float>(canvas_.height);
    for (int x = 0; x < canvas_.width; ++x) {
      const double column = 16.0 * x / canvas_.width;
      const bool is_dark = is_lined && column - std::floor(column) < 0.5;
      canvas_.at(x, y) = times(colour, (1.06F - 0.16F * down) * (is_dark ? 0.965F : 1.0F));
    }
  }
}

void BackdropPainter::wall_tiles() {
  const Rgb joint{0.72F, 0.74F, 0.75F};
  for (double y = 0.07; y < backdrop_.horizon; y += 0.08) {
    fill(slab(0, y, 1, y + 0.005), joint, 0.6F);
  }
  for (double x = 0.04; x < 1; x += 0.08) {
    fill(slab(x, 0, x + 0.005, backdrop_.horizon), joint, 0.6F);
  }
}

void BackdropPainter::cupboards() {
  Rng rng = stream("cupboards");
  const Rgb front = mix(pastel(rng, 0.80F), {0.80F, 0.66F, 0.46F}, 0.5F);
  const double top = backdrop_.horizon - 0.14;
  fill(slab(0, 0, 1, 0.15), front);
  fill(slab(0, top, 1, backdrop_.horizon), front);
  fill(slab(0, top - 0.022, 1, top + 0.004), {0.36F, 0.36F, 0.38F});
  for (double x = 0.06 * rng.u01(); x < 1; x += 0.17) {
    for (const auto& [from, to] : {Point{0, 0.15}, Point{top + 0.004, backdrop_.horizon}}) {
      fill(slab(x, from, x + 0.006, to), times(front, 0.6F));
      fill(slab(x + 0.02, (from + to) / 2, x + 0.05, (from + to) / 2 + 0.012), {0.3F, 0.3F, 0.32F});
    }
  }
  fill(slab(0, 0.15, 1, 0.158), times(front, 0.55F));
}

void BackdropPainter::wallpaper() {
  Rng rng = stream("wallpaper");
  const Rgb flower = mix(pastel(rng, 0.75F), {0.80F, 0.55F, 0.65F}, 0.5F);
  for (int row = 0; row * 0.075 < backdrop_.horizon; ++row) {
    for (int i = 0; i < 13; ++i) {
      const double x = 0.08 * (i + 0.5 * (row % 2));
      const double y = 0.03 + 0.075 * row;
      fill(oval(x, y, 0.013, 0.013), flower, 0.8F);
      fill(oval(x, y, 0.005, 0.005), {0.98F, 0.93F, 0.70F}, 0.9F);
    }
  }
}

void BackdropPainter::whiteboard() {
  Rng rng = stream("whiteboard");
  const double x = 0.06 + 0.08 * rng.u01();
  const double bottom = backdrop_.horizon - 0.14;
  fill(slab(x - 0.012, 0.048, x + 0.452, bottom + 0.012), {0.52F, 0.55F, 0.58F});
  fill(slab(x, 0.06, x + 0.44, bottom), {0.98F, 0.98F, 0.98F});
  for (int i = 0; i < 5; ++i) {
    const double left = x + 0.05 + 0.07 * i;
    const double top = bottom - 0.03 - (bottom - 0.13) * (0.25 + 0.7 * rng.u01());
    fill(slab(left, top, left + 0.04, bottom - 0.03), mix(pastel(rng, 0.5F), {0, 0, 0}, 0.1F));
  }
  fill(slab(x + 0.03, bottom - 0.03, x + 0.41, bottom - 0.022), {0.2F, 0.2F, 0.22F});
}

void BackdropPainter::shelves() {
  Rng rng = stream("shelves");
  const double left = 0.62 + 0.04 * rng.u01();
  for (double y = 0.17; y < backdrop_.horizon - 0.05; y += 0.15) {
    for (double x = left + 0.01; x < 0.95; x += 0.028) {
      const Rgb back = mix(pastel(rng, 0.5F), {0.3F, 0.3F, 0.35F}, 0.25F);
      fill(slab(x, y - 0.10, x + 0.023, y), back);
      fill(slab(x + 0.006, y - 0.08, x + 0.017, y - 0.055), {0.95F, 0.95F, 0.92F});
    }
    fill(slab(left, y, 0.97, y + 0.012), {0.50F, 0.40F, 0.30F});
  }
}

void BackdropPainter::window() {
  Rng rng = stream("window");
  const double x = 0.08 + 0.5 * rng.u01();
  const double bottom = backdrop_.horizon - 0.10;
  fill(slab(x - 0.015, 0.045, x + 0.315, bottom + 0.015), {0.96F, 0.95F, 0.93F});
  fill(slab(x, 0.06, x + 0.3, bottom), {0.66F, 0.82F, 0.94F});
  fill(slab(x, bottom - 0.06, x + 0.3, bottom), {0.60F, 0.75F, 0.55F});
  fill(slab(x + 0.143, 0.06, x + 0.157, bottom), {0.96F, 0.95F, 0.93F});
  fill(slab(x, 0.5 * bottom, x + 0.3, 0.5 * bottom + 0.012), {0.96F, 0.95F, 0.93F});
  fill(slab(x - 0.03, bottom + 0.01, x + 0.33, bottom + 0.03), {0.88F, 0.86F, 0.83F});
  const Rgb curtain = pastel(rng, 0.70F);
  fill(blob({{x - 0.06, 0.03},
             {x + 0.03, 0.03},
             {x + 0.01, 0.2},
             {x - 0.03, bottom + 0.03},
             {x - 0.07, bottom + 0.03}}),
       curtain);
  fill(blob({{x + 0.36, 0.03},
             {x + 0.27, 0.03},
             {x + 0.29, 0.2},
             {x + 0.33, bottom + 0.03},
             {x + 0.37, bottom + 0.03}}),
       curtain);
}

void BackdropPainter::picture() {
  Rng rng = stream("picture");
  for (int i = 0; i < 2; ++i) {
    const double x = 0.08 + 0.46 * i + 0.16 * rng.u01();
    const double y = 0.06 + 0.06 * rng.u01();
    const double w = 0.14 + 0.08 * rng.u01();
    const double h = 0.13 + 0.06 * rng.u01();
    fill(slab(x, y, x + w, y + h), {0.45F, 0.33F, 0.22F});
    fill(slab(x + 0.012, y + 0.012, x + w - 0.012, y + h - 0.012), pastel(rng, 0.92F));
    fill(slab(x + 0.012, y + 0.55 * h, x + w - 0.012, y + h - 0.012), pastel(rng, 0.55F));
  }
}

void BackdropPainter::planks() {
  Rng rng = stream("planks");
  const Rgb wood = mix({0.72F, 0.53F, 0.34F}, {0.55F, 0.38F, 0.24F}, static_cast<float>(rng.u01()));
  ground(times(wood, 1.08F), wood, 0.12F);
  for (int i = -8; i <= 16; ++i) {
    const double far = 0.5 + (i / 8.0 - 0.5) * 0.8;
    const double near = 0.5 + (i / 8.0 - 0.5) * 1.9;
    fill(poly({{far, backdrop_.horizon},
               {far + 0.002, backdrop_.horizon},
               {near + 0.006, 1},
               {near, 1}}),
         times(wood, 0.68F),
         0.8F);
  }
}

void BackdropPainter::floor_tiles() {
  Rng rng = stream("tiles");
  const Rgb tile = pastel(rng, 0.82F);
  ground(times(tile, 1.02F), times(tile, 0.92F), 0.03F);
  const Rgb joint = times(tile, 0.72F);
  for (int i = -8; i <= 16; ++i) {
    const double far = 0.5 + (i / 8.0 - 0.5) * 0.8;
    const double near = 0.5 + (i / 8.0 - 0.5) * 1.9;
    fill(poly({{far, backdrop_.horizon},
               {far + 0.003, backdrop_.horizon},
               {near + 0.007, 1},
               {near, 1}}),
         joint,
         0.8F);
  }
  double y = backdrop_.horizon;
  for (double step = 0.03; y < 1; step *= 1.35) {
    y += step;
    fill(slab(0, y, 1, y + 0.005), joint, 0.8F);
  }
}

void BackdropPainter::carpet() {
  Rng rng = stream("carpet");
  const Rgb colour = pastel(rng, 0.60F);
  ground(times(colour, 1.08F), times(colour, 0.94F), 0.14F);
  fill(
      oval(0.5, backdrop_.horizon + 0.28, 0.44, 0.14), mix(pastel(rng, 0.75F), colour, 0.3F), 0.8F);
}

void BackdropPainter::skirting() {
  fill(slab(0, backdrop_.horizon - 0.03, 1, backdrop_.horizon), {0.93F, 0.92F, 0.90F});
  fill(slab(0, backdrop_.horizon - 0.004, 1, backdrop_.horizon + 0.004),
       {0.45F, 0.42F, 0.40F},
       0.6F);
}

}  // namespace snellen::eyechart
