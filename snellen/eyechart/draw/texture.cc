// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/texture.h"

#include <algorithm>
#include <cmath>

#include "snellen/base/splitmix.h"

namespace snellen::eyechart {
namespace {

constexpr Rgb kWood{0.62F, 0.42F, 0.24F};
constexpr Rgb kStone{0.62F, 0.61F, 0.58F};
constexpr Rgb kSilver{0.74F, 0.77F, 0.82F};
// Wood, metal and stone have a colour of their own, with little of the one a thing would have.
constexpr float kNatural = 0.88F;

float lattice(int64_t x, int64_t y, uint64_t salt) {
  const uint64_t key =
      static_cast<uint64_t>(x) * 0x8DA6B343U + static_cast<uint64_t>(y) * 0xD8163841U;
  return static_cast<float>(splitmix64(key ^ salt) >> 40) * 0x1p-24F;
}

// 1 where the distance is inside, 0 outside, smooth over a pixel.
float edge(double distance, double pixel) {
  return static_cast<float>(std::clamp(0.5 - distance / pixel, 0.0, 1.0));
}

// The second colour of a pattern stands out from the first.
Rgb counter_colour(Rgb colour) {
  return luma(colour) > 0.55F ? times(colour, 0.35F) : mix(colour, {1, 1, 1}, 0.78F);
}

float striped(Point p, double pixel) {
  constexpr double kPeriod = 13;
  const double along = (p.x + 0.35 * p.y) / kPeriod;
  const double phase = std::abs(along - std::floor(along) - 0.5) * kPeriod;
  return edge(phase - kPeriod * 0.25, pixel);
}

float spotted(Point p, double pixel) {
  constexpr double kPeriod = 17;
  const double row = std::floor(p.y / kPeriod);
  const double shift = std::fmod(std::abs(row), 2.0) * 0.5 * kPeriod;
  const double x = p.x + shift;
  const double dx = x - (std::floor(x / kPeriod) + 0.5) * kPeriod;
  const double dy = p.y - (row + 0.5) * kPeriod;
  return edge(std::hypot(dx, dy) - kPeriod * 0.31, pixel);
}

float checkered(Point p, double pixel) {
  constexpr double kPeriod = 22;
  auto wave = [&](double v) {
    const double phase = v / kPeriod - std::floor(v / kPeriod);
    return 2 * edge((std::abs(phase - 0.5) - 0.25) * kPeriod, pixel) - 1;  // -1 or 1
  };
  return 0.5F + 0.5F * wave(p.x + 3) * wave(p.y + 3);
}

Rgb wooden(Rgb colour, const SurfacePoint& point) {
  const double warp = 5 * noise_at(point.grid.x * 0.05, point.grid.y * 0.02, point.salt);
  const double grain = std::sin(point.grid.y * 0.75 + 6 * warp);
  const float fine = noise_at(point.grid.x * 0.12, point.grid.y * 1.1, point.salt + 1);
  const Rgb base = mix(colour, kWood, kNatural);
  return times(base, 0.84F + 0.22F * static_cast<float>(grain) + 0.22F * (fine - 0.5F));
}

Rgb metallic(Rgb colour, const SurfacePoint& point) {
  const double along = (point.grid.x + 0.5 * point.grid.y) / 100;
  const double bands = std::sin(along * 11) * 0.55 + std::sin(along * 23 + 1) * 0.45;
  const Rgb base = mix(colour, kSilver, kNatural);
  const auto share = static_cast<float>(bands);
  return share > 0 ? mix(base, {1, 1, 1}, 0.55F * share) : times(base, 1 + 0.45F * share);
}

// Bright and even, as dyed plastic is.
Rgb vivid(Rgb colour) {
  const float gray = luma(colour);
  auto further = [gray](float v) { return std::clamp(gray + 1.35F * (v - gray), 0.0F, 1.0F); };
  return mix({further(colour.r), further(colour.g), further(colour.b)}, {1, 1, 1}, 0.06F);
}

Rgb stony(Rgb colour, const SurfacePoint& point) {
  const float coarse = noise_at(point.grid.x * 0.12, point.grid.y * 0.12, point.salt);
  const float fine = noise_at(point.grid.x * 0.6, point.grid.y * 0.6, point.salt + 1);
  const Rgb base = mix(colour, kStone, kNatural);
  const Rgb rough = times(base, 0.62F + 0.44F * coarse + 0.30F * fine);
  return fine > 0.80F ? times(rough, 0.62F) : rough;
}

}  // namespace

float noise_at(double x, double y, uint64_t salt) {
  const double fx = std::floor(x);
  const double fy = std::floor(y);
  const auto ix = static_cast<int64_t>(fx);
  const auto iy = static_cast<int64_t>(fy);
  const auto u = static_cast<float>(x - fx);
  const auto v = static_cast<float>(y - fy);
  const float su = u * u * (3 - 2 * u);
  const float sv = v * v * (3 - 2 * v);
  const float top = lattice(ix, iy, salt) * (1 - su) + lattice(ix + 1, iy, salt) * su;
  const float bottom = lattice(ix, iy + 1, salt) * (1 - su) + lattice(ix + 1, iy + 1, salt) * su;
  return top * (1 - sv) + bottom * sv;
}

Rgb surface_colour(const Look& look, const SurfacePoint& point) {
  Rgb colour = kColours[look.colour].rgb;
  if (look.pattern != Pattern::kPlain) {
    const double pixel = std::max(point.pixel, 0.5);
    const float share = look.pattern == Pattern::kStriped   ? striped(point.grid, pixel)
                        : look.pattern == Pattern::kSpotted ? spotted(point.grid, pixel)
                                                            : checkered(point.grid, pixel);
    colour = mix(colour, counter_colour(colour), share);
  }
  switch (look.material) {
    case Material::kWooden:
      return wooden(colour, point);
    case Material::kMetal:
      return metallic(colour, point);
    case Material::kStone:
      return stony(colour, point);
    case Material::kGlass:
      return mix(colour, {0.85F, 0.95F, 1.0F}, 0.35F);
    case Material::kPlastic:
      return vivid(colour);
    case Material::kUsual:
      break;
  }
  return colour;
}

float gloss_of(Material material) {
  switch (material) {
    case Material::kPlastic:
      return 0.9F;
    case Material::kGlass:
      return 1.0F;
    case Material::kMetal:
      return 0.7F;
    case Material::kWooden:
    case Material::kStone:
      return 0.05F;
    case Material::kUsual:
      break;
  }
  return 0.25F;
}

float opacity_of(Material material) {
  return material == Material::kGlass ? 0.52F : 1.0F;
}

}  // namespace snellen::eyechart
