// SPDX-License-Identifier: Apache-2.0
// What can be said of a thing besides its noun: colour, pattern, material, form, size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace snellen::eyechart {

struct Rgb {
  float r = 0;  // 0 to 1, as stored in a picture (sRGB)
  float g = 0;
  float b = 0;
};

constexpr Rgb mix(Rgb from, Rgb to, float share) {
  return {from.r + (to.r - from.r) * share,
          from.g + (to.g - from.g) * share,
          from.b + (to.b - from.b) * share};
}
constexpr Rgb times(Rgb colour, float factor) {
  return {colour.r * factor, colour.g * factor, colour.b * factor};
}
constexpr float luma(Rgb colour) {
  return 0.299F * colour.r + 0.587F * colour.g + 0.114F * colour.b;
}

struct NamedColour {
  std::string_view name;
  Rgb rgb;
};

// The names are attributes of Probe-C.
inline constexpr std::array<NamedColour, 12> kColours = {{
    {"red", {0.84F, 0.16F, 0.15F}},
    {"orange", {0.95F, 0.55F, 0.13F}},
    {"yellow", {0.96F, 0.83F, 0.20F}},
    {"green", {0.22F, 0.62F, 0.27F}},
    {"blue", {0.16F, 0.40F, 0.80F}},
    {"purple", {0.50F, 0.24F, 0.66F}},
    {"pink", {0.95F, 0.57F, 0.71F}},
    {"brown", {0.48F, 0.30F, 0.17F}},
    {"black", {0.16F, 0.16F, 0.18F}},
    {"white", {0.94F, 0.94F, 0.92F}},
    {"gray", {0.55F, 0.56F, 0.58F}},
    {"tan", {0.83F, 0.70F, 0.52F}},
}};

enum class Pattern : uint8_t { kPlain, kStriped, kSpotted, kCheckered };
inline constexpr std::array<std::string_view, 4> kPatterns = {
    "plain", "striped", "spotted", "checkered"};

enum class Material : uint8_t { kUsual, kWooden, kMetal, kPlastic, kGlass, kStone };
inline constexpr std::array<std::string_view, 6> kMaterials = {
    "", "wooden", "metal", "plastic", "glass", "stone"};

// Whether a thing of this material has the colour it is called by; wood, metal and stone look like
// themselves.
constexpr bool takes_colour(Material material) {
  return material != Material::kWooden && material != Material::kMetal &&
         material != Material::kStone;
}

enum class Form : uint8_t { kUsual, kRound, kSquare, kTriangular };
inline constexpr std::array<std::string_view, 4> kForms = {"", "round", "square", "triangular"};

enum class Size : uint8_t { kSmall, kMedium, kLarge };
inline constexpr std::array<std::string_view, 3> kSizes = {"small", "", "large"};

struct Look {
  size_t colour = 0;  // into kColours
  Pattern pattern = Pattern::kPlain;
  Material material = Material::kUsual;
  Form form = Form::kUsual;
  Size size = Size::kMedium;
  // How far open, full, lit or grown it is, 0 to 1; what that means is the noun's.
  double state = 1;

  bool operator==(const Look&) const = default;
};

}  // namespace snellen::eyechart
