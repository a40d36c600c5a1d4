// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/geometry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace snellen::eyechart {

Box empty_box() {
  return {1e9, 1e9, -1e9, -1e9};
}

Box around(const Box& left, const Box& right) {
  return {std::min(left.x0, right.x0),
          std::min(left.y0, right.y0),
          std::max(left.x1, right.x1),
          std::max(left.y1, right.y1)};
}

Box box_of(const Shape& shape) {
  Box box = empty_box();
  for (const Contour& contour : shape) {
    for (const Point& p : contour) box = around(box, {p.x, p.y, p.x, p.y});
  }
  return box;
}

Affine Affine::inverse() const {
  const double determinant = xx * yy - xy * yx;
  Affine result;
  result.xx = yy / determinant;
  result.xy = -xy / determinant;
  result.yx = -yx / determinant;
  result.yy = xx / determinant;
  result.dx = -(result.xx * dx + result.xy * dy);
  result.dy = -(result.yx * dx + result.yy * dy);
  return result;
}

Affine operator*(const Affine& outer, const Affine& inner) {
  const Point origin = outer({inner.dx, inner.dy});
  return {outer.xx * inner.xx + outer.xy * inner.yx,
          outer.xx * inner.xy + outer.xy * inner.yy,
          outer.yx * inner.xx + outer.yy * inner.yx,
          outer.yx * inner.xy + outer.yy * inner.yy,
          origin.x,
          origin.y};
}

Affine shifted(double dx, double dy) {
  return {1, 0, 0, 1, dx, dy};
}

Affine scaled(double sx, double sy) {
  return {sx, 0, 0, sy, 0, 0};
}

Affine turned(double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c, -s, s, c, 0, 0};
}

Shape mapped(const Shape& shape, const Affine& map) {
  Shape result = shape;
  for (Contour& contour : result) {
    for (Point& p : contour) p = map(p);
  }
  return result;
}

Box box_of(const Box& box, const Affine& map) {
  return box_of(Shape{{map({box.x0, box.y0}),
                       map({box.x1, box.y0}),
                       map({box.x1, box.y1}),
                       map({box.x0, box.y1})}});
}

double doubled_area(const Contour& contour) {
  double sum = 0;
  for (size_t i = 0; i < contour.size(); ++i) {
    const Point& a = contour[i];
    const Point& b = contour[(i + 1) % contour.size()];
    sum += a.x * b.y - b.x * a.y;
  }
  return sum;
}

}  // namespace snellen::eyechart
