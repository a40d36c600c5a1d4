// SPDX-License-Identifier: Apache-2.0
// Points, outlines and the affine maps that put a drawing in its place.
#pragma once

#include <vector>

namespace snellen::eyechart {

struct Point {
  double x = 0;
  double y = 0;
};

// Closed; the last point joins the first.
using Contour = std::vector<Point>;

// Outlines that are filled together: positively oriented ones add up, reversed ones are holes.
using Shape = std::vector<Contour>;

struct Box {
  double x0 = 0;
  double y0 = 0;
  double x1 = 0;
  double y1 = 0;

  double width() const { return x1 - x0; }
  double height() const { return y1 - y0; }
  double center_x() const { return 0.5 * (x0 + x1); }
  double center_y() const { return 0.5 * (y0 + y1); }
};

// The smallest box around both; an empty box (x1 < x0) adds nothing.
Box around(const Box& left, const Box& right);
Box box_of(const Shape& shape);
// A box that holds nothing, to begin with.
Box empty_box();

// x' = xx * x + xy * y + dx, y' = yx * x + yy * y + dy.
struct Affine {
  double xx = 1;
  double xy = 0;
  double yx = 0;
  double yy = 1;
  double dx = 0;
  double dy = 0;

  Point operator()(Point p) const { return {xx * p.x + xy * p.y + dx, yx * p.x + yy * p.y + dy}; }
  // The map must not be flat.
  Affine inverse() const;
};

// First `inner`, then `outer`.
Affine operator*(const Affine& outer, const Affine& inner);
Affine shifted(double dx, double dy);
Affine scaled(double sx, double sy);
// Clockwise on a picture (y grows downwards).
Affine turned(double degrees);

Shape mapped(const Shape& shape, const Affine& map);
Box box_of(const Box& box, const Affine& map);

// Twice the enclosed area; positive when points run clockwise on a picture.
double doubled_area(const Contour& contour);

}  // namespace snellen::eyechart
