// SPDX-License-Identifier: Apache-2.0
// A drawing of one thing as filled parts on a grid of 100 x 100: y grows downwards, the thing
// stands on y = 100 and faces right. Colours are roles, so that one drawing serves every look.
#pragma once

#include <cstdint>
#include <vector>

#include "snellen/eyechart/draw/look.h"
#include "snellen/eyechart/draw/shapes.h"

namespace snellen::eyechart {

enum class Role : uint8_t {
  kMain,   // the thing's colour, pattern and material
  kShade,  // the same in shade: far legs, inner sides
  kTint,   // the same, lighter: bellies, lids
  kInk,    // a dark line in the thing's colour
  kFixed,  // a colour of its own
};

struct Part {
  Shape shape;
  Role role = Role::kMain;
  Rgb rgb;            // of kFixed
  float opacity = 1;  // of kFixed: panes; light is fainter than kFaint
};

inline constexpr float kFaint = 0.2F;

// Colours that many drawings share.
inline constexpr Rgb kInkBlack{0.13F, 0.13F, 0.15F};
inline constexpr Rgb kDarkGrey{0.28F, 0.29F, 0.32F};
inline constexpr Rgb kSteel{0.74F, 0.77F, 0.81F};
inline constexpr Rgb kPaper{0.97F, 0.96F, 0.93F};
inline constexpr Rgb kSkin{0.90F, 0.72F, 0.56F};
inline constexpr Rgb kHair{0.33F, 0.22F, 0.15F};
inline constexpr Rgb kBark{0.50F, 0.35F, 0.21F};
inline constexpr Rgb kLeaf{0.27F, 0.58F, 0.25F};
inline constexpr Rgb kPane{0.70F, 0.86F, 0.94F};
inline constexpr Rgb kGlow{1.00F, 0.87F, 0.35F};
inline constexpr Rgb kFlesh{0.93F, 0.62F, 0.62F};
inline constexpr Rgb kBeak{0.95F, 0.60F, 0.16F};

class Sketch {
 public:
  void main(Shape shape) { add({std::move(shape), Role::kMain, {}, 1}); }
  void shade(Shape shape) { add({std::move(shape), Role::kShade, {}, 1}); }
  void tint(Shape shape) { add({std::move(shape), Role::kTint, {}, 1}); }
  void ink(Shape shape) { add({std::move(shape), Role::kInk, {}, 1}); }
  void fixed(Rgb rgb, Shape shape, float opacity = 1) {
    add({std::move(shape), Role::kFixed, rgb, opacity});
  }
  // A dark eye with a glint, at a point.
  void eye(double x, double y, double radius);
  // What is added from now on lies in front of things inside this one.
  void begin_front() { first_in_front_ = parts_.size(); }

  const std::vector<Part>& parts() const { return parts_; }
  size_t first_in_front() const { return first_in_front_; }
  // Around all parts but light, which is no part of a thing.
  Box box() const;

 private:
  void add(Part part) { parts_.push_back(std::move(part)); }

  std::vector<Part> parts_;
  size_t first_in_front_ = SIZE_MAX;
};

}  // namespace snellen::eyechart
