// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/marks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "snellen/eyechart/draw/shapes.h"
#include "snellen/eyechart/world/nouns.h"

namespace snellen::eyechart {
namespace {

constexpr Rgb kLight{0.99F, 0.99F, 0.96F};
constexpr Rgb kDark{0.15F, 0.15F, 0.18F};
constexpr Rgb kTrousers{0.24F, 0.28F, 0.42F};
constexpr double kThin = 0.009;  // of the picture's side

class MarkPainter {
 public:
  MarkPainter(Canvas& canvas, const Thing& subject, const Thing& object)
      : canvas_(canvas),
        subject_(subject.box),
        object_(object.box),
        leg_colour_(nouns()[subject.noun].name == "person" ? kTrousers
                                                           : kColours.at(subject.look.colour).rgb),
        ahead_(subject.faces_left ? -1 : 1) {}

  void paint(Predicate predicate) {
    switch (predicate) {
      case Predicate::kChasing:
        speed_lines(subject_);
        break;
      case Predicate::kFollowing:
        footprints();
        break;
      case Predicate::kPushing:
        speed_lines(subject_);
        strokes({ahead_ > 0 ? subject_.x1 : subject_.x0, subject_.y0 + 0.35 * subject_.height()});
        break;
      case Predicate::kPulling:
        rope();
        strokes({subject_.center_x(), subject_.y0});
        break;
      case Predicate::kLookingAt:
        line_of_sight();
        break;
      case Predicate::kJumpingOver:
        jump();
        break;
      case Predicate::kKicking:
        raised_leg();
        break;
      default:
        break;
    }
  }

 private:
  // Light with a dark rim, so that it is seen on snow and on asphalt.
  void stroke(const Shape& rim, const Shape& core) {
    const Affine map = scaled(canvas_.width, canvas_.height);
    paint_shape(canvas_, mapped(rim, map), kDark, 0.75F);
    paint_shape(canvas_, mapped(core, map), kLight, 1.0F);
  }
  void stroke(Point from, Point to, double width) {
    stroke(line({from, to}, width + 0.008), line({from, to}, width));
  }

  void speed_lines(const Box& box) {
    const double tail = ahead_ > 0 ? box.x0 : box.x1;
    for (int i = 0; i < 3; ++i) {
      const double y = box.y0 + box.height() * (0.35 + 0.22 * i);
      const double length = i == 1 ? 0.10 : 0.07;
      stroke({tail - ahead_ * 0.015, y}, {tail - ahead_ * (0.015 + length), y}, kThin * 1.2);
    }
  }

  void footprints() {
    const double from = ahead_ > 0 ? subject_.x0 - 0.08 : subject_.x1 + 0.08;
    const double to = ahead_ > 0 ? object_.x0 : object_.x1;
    const double y = subject_.y1 + 0.005;
    const int count = static_cast<int>(std::abs(to - from) / 0.045);
    for (int i = 0; i <= count; ++i) {
      const double x = from + ahead_ * 0.045 * i;
      stroke(oval(x, y + (i % 2 == 0 ? 0.012 : -0.006), 0.016, 0.010),
             oval(x, y + (i % 2 == 0 ? 0.012 : -0.006), 0.012, 0.006));
    }
  }

  void rope() {
    const Point from{ahead_ > 0 ? subject_.x0 + 0.02 : subject_.x1 - 0.02,
                     subject_.y0 + 0.55 * subject_.height()};
    const Point to{ahead_ > 0 ? object_.x1 - 0.02 : object_.x0 + 0.02,
                   object_.y0 + 0.55 * object_.height()};
    const Point middle{(from.x + to.x) / 2, (from.y + to.y) / 2 + 0.025};
    const Affine map = scaled(canvas_.width, canvas_.height);
    paint_shape(canvas_, mapped(curve({from, middle, to}, 0.020), map), {0.30F, 0.20F, 0.10F}, 1);
    paint_shape(canvas_, mapped(curve({from, middle, to}, 0.011), map), {0.85F, 0.68F, 0.42F}, 1);
  }

  void line_of_sight() {
    const Point eye{ahead_ > 0 ? subject_.x1 + 0.005 : subject_.x0 - 0.005,
                    subject_.y0 + 0.22 * subject_.height()};
    const Point goal{ahead_ > 0 ? object_.x0 : object_.x1, object_.center_y()};
    const int count = 5;
    for (int i = 0; i < count; ++i) {
      const double a = (i + 0.15) / count;
      const double b = (i + 0.65) / count;
      stroke({eye.x + (goal.x - eye.x) * a, eye.y + (goal.y - eye.y) * a},
             {eye.x + (goal.x - eye.x) * b, eye.y + (goal.y - eye.y) * b},
             kThin);
    }
    const double tip = goal.x - ahead_ * 0.004;
    stroke({tip - ahead_ * 0.045, goal.y - 0.036}, {tip, goal.y}, kThin * 1.2);
    stroke({tip - ahead_ * 0.045, goal.y + 0.036}, {tip, goal.y}, kThin * 1.2);
  }

  // From the hip towards what is kicked, with a foot at its end, and strokes where it hits.
  void raised_leg() {
    const double height = subject_.height();
    const Point hip{subject_.center_x() + ahead_ * 0.12 * subject_.width(),
                    subject_.y1 - 0.34 * height};
    const double reach = 0.5 * subject_.width() + 0.06;
    const Point foot{subject_.center_x() + ahead_ * reach, subject_.y1 - 0.24 * height};
    const Point toe{foot.x + ahead_ * 0.012, foot.y - 0.035};
    const double width = std::clamp(0.13 * height, 0.028, 0.05);
    const Affine map = scaled(canvas_.width, canvas_.height);
    auto part = [&](Point from, Point to, double thick, Rgb colour) {
      paint_shape(canvas_, mapped(line({from, to}, thick + 0.012), map), kDark, 0.8F);
      paint_shape(canvas_, mapped(line({from, to}, thick), map), colour, 1);
    };
    part(hip, foot, width, leg_colour_);
    part(foot, toe, 0.8 * width, times(leg_colour_, 0.6F));
    strokes({foot.x + ahead_ * 0.02, foot.y});
  }

  void jump() {
    const double start = ahead_ > 0 ? object_.x0 - 0.06 : object_.x1 + 0.06;
    const double end = subject_.center_x() - ahead_ * 0.3 * subject_.width();
    for (int i = 0; i < 5; ++i) {
      const double t = i / 5.0;
      const double x = start + (end - start) * t * t;
      const double y = object_.y1 - 0.02 + (subject_.y1 - 0.03 - object_.y1) * t;
      stroke(oval(x, y, 0.014, 0.014), oval(x, y, 0.009, 0.009));
    }
  }

  void strokes(Point center) {
    for (int i = -2; i <= 2; ++i) {
      const double angle = i * 0.5 - std::numbers::pi / 2;
      const Point out{std::cos(angle), std::sin(angle)};
      stroke({center.x + 0.025 * out.x, center.y + 0.025 * out.y},
             {center.x + 0.060 * out.x, center.y + 0.060 * out.y},
             kThin);
    }
  }

  Canvas& canvas_;
  Box subject_;
  Box object_;
  Rgb leg_colour_;
  double ahead_;
};

}  // namespace

void paint_marks(Canvas& canvas, const Scene& scene) {
  for (const Relation& relation : scene.relations) {
    if (!is_action(relation.predicate)) continue;
    MarkPainter(canvas, scene.things[relation.subject], scene.things[relation.object])
        .paint(relation.predicate);
  }
}

}  // namespace snellen::eyechart
