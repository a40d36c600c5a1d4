// SPDX-License-Identifier: Apache-2.0
// The outlines drawings are made of. All are closed, flattened to short straight pieces and
// oriented alike, so that pieces of one Shape may overlap.
#pragma once

#include <initializer_list>

#include "snellen/eyechart/draw/geometry.h"

namespace snellen::eyechart {

Shape oval(double cx, double cy, double rx, double ry, double degrees = 0);
// Corners rounded by `radius`.
Shape slab(double x0, double y0, double x1, double y1, double radius = 0);
Shape poly(std::initializer_list<Point> points);
// A smooth closed outline through the points (Catmull-Rom).
Shape blob(std::initializer_list<Point> points);
// A straight-pieced stroke with round ends and joints.
Shape line(std::initializer_list<Point> points, double width);
// A smooth stroke through the points.
Shape curve(std::initializer_list<Point> points, double width);
Shape ring(double cx, double cy, double radius, double width);
// Part of a ring, in degrees clockwise from the right.
Shape arc(double cx, double cy, double radius, double from, double to, double width);
// A piece of a disc.
Shape wedge(double cx, double cy, double radius, double from, double to);

// Several shapes filled as one.
Shape both(Shape first, const Shape& second);
// The first with the second cut out of it; the second lies inside.
Shape without(Shape first, const Shape& hole);

}  // namespace snellen::eyechart
