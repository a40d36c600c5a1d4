// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/scene_layout.h"

#include <algorithm>
#include <cmath>

#include "snellen/eyechart/world/nouns.h"

namespace snellen::eyechart {
namespace {

constexpr double kEdge = 0.025;  // free border of the picture

// The two things of a scene and where they may stand.
class PairLayout {
 public:
  PairLayout(Rng& rng, Scene& scene, size_t num_things)
      : rng_(rng),
        subject_(scene.things[0]),
        object_(scene.things[1]),
        horizon_(scene.backdrop.horizon),
        subject_side_(side_of(subject_, num_things)),
        object_side_(side_of(object_, num_things)) {}

  void beside(bool is_left, double gap) {
    const double room = 1 - 2 * kEdge - gap;
    auto [left, left_side, right, right_side] = fitted(is_left, room, width);
    const double left_width = width(left, left_side);
    const double right_width = width(right, right_side);
    const double start = kEdge + rng_.u01() * (room - left_width - right_width);
    const double base = ground();
    left.box = box_at(left, left_side, start + left_width / 2, base);
    right.box = box_at(right,
                       right_side,
                       start + left_width + gap + right_width / 2,
                       std::clamp(base + 0.08 * (rng_.u01() - 0.5), horizon_ + 0.05, 1 - kEdge));
  }

  void stacked(bool is_above, double gap) {
    const double room = 1 - 2 * kEdge - gap;
    auto [upper, upper_side, lower, lower_side] = fitted(is_above, room, height);
    const double lowest = kEdge + height(upper, upper_side) + gap + height(lower, lower_side);
    const double base = lowest + (1 - kEdge - lowest) * (0.4 + 0.6 * rng_.u01());
    const double half = std::max(width(upper, upper_side), width(lower, lower_side)) / 2;
    const double x = kEdge + half + rng_.u01() * std::max(0.0, 1 - 2 * (kEdge + half));
    lower.box = box_at(lower, lower_side, x, base);
    upper.box = box_at(upper, upper_side, x + 0.08 * (rng_.u01() - 0.5), lower.box.y0 - gap);
    upper.box = moved_inside(upper.box);
    // It floats: its shadow falls on the ground that the lower one stands on.
    upper.lift = std::max(0.02, lower.box.y1 - upper.box.y1);
  }

  void on_top() {
    place_object(1.15);
    const Noun& bearer = nouns()[object_.noun];
    const double limit = 0.62 * object_.box.width();
    const double side = fitting(subject_, subject_side_, limit, 0.42);
    const double top = grid_y(object_, bearer.top);
    const double half = width(subject_, side) / 2;
    const double free = std::max(0.0, object_.box.width() * 0.42 - half);
    subject_.box =
        box_at(subject_, side, object_.box.center_x() + free * (2 * rng_.u01() - 1), top);
    keep_below_top();
    subject_.is_grounded = false;
  }

  void inside() {
    place_object(1.25);
    const Box hollow = grid_box(object_, nouns()[object_.noun].hollow);
    const double side =
        fitting(subject_, subject_side_, 0.84 * hollow.width(), 1.15 * hollow.height());
    const double half = width(subject_, side) / 2;
    const double free = std::max(0.0, hollow.width() / 2 - half);
    subject_.box =
        box_at(subject_, side, hollow.center_x() + free * (2 * rng_.u01() - 1) * 0.7, hollow.y1);
    keep_below_top();
    subject_.is_grounded = false;
  }

  void sheltered() {
    place_object(1.35);
    const Box hollow = grid_box(object_, nouns()[object_.noun].hollow);
    const double side =
        fitting(subject_, subject_side_ * 0.9, 0.95 * hollow.width(), 0.90 * hollow.height());
    subject_.box = box_at(subject_, side, hollow.center_x(), object_.box.y1 + 0.01);
    subject_.box = moved_inside(subject_.box);
  }

  void one_behind_other(bool subject_is_behind) {
    Thing& far = subject_is_behind ? subject_ : object_;
    Thing& near = subject_is_behind ? object_ : subject_;
    const double near_side = subject_is_behind ? object_side_ : subject_side_;
    double far_side = subject_is_behind ? subject_side_ : object_side_;
    far_side = std::max(far_side, near_side * 1.05);
    const double near_width = width(near, near_side);
    const double far_width = width(far, far_side);
    const bool to_left = rng_.below(2) == 0;
    // About a third of the far one's width is hidden.
    const double shift = 0.5 * (near_width + far_width) - 0.36 * std::min(near_width, far_width);
    const double total = std::max(near_width, far_width) + shift;
    const double start = kEdge + rng_.u01() * std::max(0.0, 1 - 2 * kEdge - total);
    const double far_x = to_left ? start + far_width / 2 : start + near_width / 2 + shift;
    const double near_x = to_left ? start + far_width / 2 + shift : start + near_width / 2;
    const double base = std::max(ground(), horizon_ + 0.22);
    near.box = moved_inside(box_at(near, near_side, near_x, base));
    far.box = moved_inside(box_at(far, far_side, far_x, base - 0.07 - 0.05 * rng_.u01()));
  }

  // The subject acts towards the right or the left.
  void acting(Predicate predicate) {
    const bool to_right = rng_.below(2) == 0;
    if (predicate == Predicate::kJumpingOver) {
      stacked(/*is_above=*/true, 0.02);
      subject_.angle = to_right ? -14 : 14;
    } else {
      const bool is_ahead = predicate == Predicate::kPulling;
      beside(/*is_left=*/to_right != is_ahead, gap_of(predicate));
      level_bases();
    }
    subject_.faces_left = !to_right;
    const bool both_move = predicate == Predicate::kChasing || predicate == Predicate::kFollowing;
    // Who is looked at looks away, so that nobody looks back.
    const bool looks_away = predicate == Predicate::kLookingAt;
    if (both_move || looks_away) object_.faces_left = !to_right && is_turnable(object_);
    if (predicate == Predicate::kChasing) {
      subject_.angle = object_.angle = to_right ? 7 : -7;
      subject_.is_grounded = object_.is_grounded = true;
    }
    if (predicate == Predicate::kPushing) subject_.angle = to_right ? 5 : -5;
    if (predicate == Predicate::kKicking) object_.angle = to_right ? 20 : -20;
  }

 private:
  static bool is_turnable(const Thing& thing) { return !nouns()[thing.noun].can(kWritten); }

  static double gap_of(Predicate predicate) {
    switch (predicate) {
      case Predicate::kPushing:
        return 0.0;
      case Predicate::kPulling:
        return 0.13;
      case Predicate::kLookingAt:
        return 0.20;
      case Predicate::kKicking:
        return 0.07;
      default:
        return 0.10;
    }
  }

  struct Fitted {
    Thing& first;
    double first_side;
    Thing& second;
    double second_side;
  };
  // The two in order, made smaller together where they would need more than the room there is.
  Fitted fitted(bool is_subject_first, double room, double (*extent)(const Thing&, double)) {
    Fitted pair = is_subject_first ? Fitted{subject_, subject_side_, object_, object_side_}
                                   : Fitted{object_, object_side_, subject_, subject_side_};
    const double wanted =
        extent(pair.first, pair.first_side) + extent(pair.second, pair.second_side);
    if (wanted > room) {
      pair.first_side *= room / wanted;
      pair.second_side *= room / wanted;
    }
    return pair;
  }

  static double width(const Thing& thing, double side) {
    const double aspect = aspect_of(thing.noun, thing.look);
    return aspect >= 1 ? side : side * aspect;
  }
  static double height(const Thing& thing, double side) {
    const double aspect = aspect_of(thing.noun, thing.look);
    return aspect >= 1 ? side / aspect : side;
  }

  // The wanted side, or less, so that the thing is not wider or higher than this.
  static double fitting(const Thing& thing, double side, double max_width, double max_height) {
    return side * std::min({1.0, max_width / width(thing, side), max_height / height(thing, side)});
  }

  double ground() { return horizon_ + 0.10 + rng_.u01() * (1 - kEdge - horizon_ - 0.10); }

  // The object of on, inside and under: large enough and low enough to take the subject.
  void place_object(double grown) {
    object_side_ = std::min(0.62, object_side_ * grown);
    const double half = width(object_, object_side_) / 2;
    const double x = kEdge + half + rng_.u01() * std::max(0.0, 1 - 2 * (kEdge + half));
    const double base = std::max(0.82, horizon_ + 0.2) + 0.14 * rng_.u01();
    object_.box = box_at(object_, object_side_, x, std::min(base, 1 - kEdge));
  }

  // Makes room at the top of the picture by shrinking the subject.
  void keep_below_top() {
    const double room = subject_.box.y1 - kEdge;
    if (subject_.box.height() <= room) return;
    const double side =
        std::max(subject_.box.width(), subject_.box.height()) * room / subject_.box.height();
    subject_.box = box_at(subject_, side, subject_.box.center_x(), subject_.box.y1);
  }

  void level_bases() {
    const double lift = object_.box.y1 - subject_.box.y1;
    subject_.box.y0 += lift;
    subject_.box.y1 += lift;
  }

  static Box moved_inside(Box box) {
    const double right = std::max(0.0, kEdge - box.x0) - std::max(0.0, box.x1 - (1 - kEdge));
    const double down = std::max(0.0, kEdge - box.y0) - std::max(0.0, box.y1 - (1 - kEdge));
    return {box.x0 + right, box.y0 + down, box.x1 + right, box.y1 + down};
  }

  // From the drawing's grid to the picture.
  static Box grid_box(const Thing& thing, const Box& grid) {
    const Box drawn = sketch_of(thing.noun, thing.look).box();
    const double scale = thing.box.width() / drawn.width();
    return {thing.box.x0 + (grid.x0 - drawn.x0) * scale,
            thing.box.y0 + (grid.y0 - drawn.y0) * scale,
            thing.box.x0 + (grid.x1 - drawn.x0) * scale,
            thing.box.y0 + (grid.y1 - drawn.y0) * scale};
  }
  static double grid_y(const Thing& thing, double y) { return grid_box(thing, {0, y, 0, y}).y0; }

  Rng& rng_;
  Thing& subject_;
  Thing& object_;
  double horizon_;
  double subject_side_;
  double object_side_;
};

}  // namespace

double usual_side(size_t noun) {
  constexpr double kMiddle = 0.36;
  return kMiddle * std::pow(nouns()[noun].size / kMiddle, 1.25);
}

double side_of(const Thing& thing, size_t num_things) {
  const double shrunk = num_things <= 2   ? 1.12
                        : num_things == 3 ? 1.02
                        : num_things == 4 ? 0.92
                                          : 0.85;
  const double size = thing.look.size == Size::kSmall   ? 0.68
                      : thing.look.size == Size::kLarge ? 1.36
                                                        : 1.0;
  return std::min(0.66, usual_side(thing.noun) * size * shrunk);
}

Box box_at(const Thing& thing, double side, double center_x, double base) {
  const double aspect = aspect_of(thing.noun, thing.look);
  const double width = aspect >= 1 ? side : side * aspect;
  const double height = aspect >= 1 ? side / aspect : side;
  return {center_x - width / 2, base - height, center_x + width / 2, base};
}

void lay_out_pair(Rng& rng, Scene& scene, Predicate predicate, size_t num_things) {
  PairLayout layout(rng, scene, num_things);
  switch (predicate) {
    case Predicate::kLeftOf:
    case Predicate::kRightOf:
      return layout.beside(predicate == Predicate::kLeftOf, 0.03 + 0.12 * rng.u01());
    case Predicate::kAbove:
    case Predicate::kBelow:
      return layout.stacked(predicate == Predicate::kAbove, 0.02 + 0.07 * rng.u01());
    case Predicate::kOn:
      return layout.on_top();
    case Predicate::kUnder:
      return layout.sheltered();
    case Predicate::kInside:
      return layout.inside();
    case Predicate::kBehind:
    case Predicate::kInFrontOf:
      return layout.one_behind_other(predicate == Predicate::kBehind);
    default:
      return layout.acting(predicate);
  }
}

}  // namespace snellen::eyechart
