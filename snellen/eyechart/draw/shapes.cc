// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace snellen::eyechart {
namespace {

constexpr int kOvalPieces = 40;
constexpr int kCapPieces = 14;
constexpr int kSpanPieces = 7;

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

Contour oriented(Contour contour) {
  if (doubled_area(contour) < 0) std::reverse(contour.begin(), contour.end());
  return contour;
}

Contour circle(Point center, double radius, int pieces) {
  Contour contour;
  contour.reserve(static_cast<size_t>(pieces));
  for (int i = 0; i < pieces; ++i) {
    const double angle = 2 * std::numbers::pi * i / pieces;
    contour.push_back({center.x + radius * std::cos(angle), center.y + radius * std::sin(angle)});
  }
  return contour;
}

Point catmull_rom(const Point& a, const Point& b, const Point& c, const Point& d, double t) {
  auto blend = [t](double p0, double p1, double p2, double p3) {
    return 0.5 * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t * t +
                  (3 * p1 - p0 - 3 * p2 + p3) * t * t * t);
  };
  return {blend(a.x, b.x, c.x, d.x), blend(a.y, b.y, c.y, d.y)};
}

// Round caps and joints as discs, pieces as quadrangles: they overlap, which a Shape allows.
Shape stroked(std::span<const Point> points, double width) {
  Shape shape;
  const double half = width / 2;
  for (size_t i = 0; i < points.size(); ++i) {
    shape.push_back(circle(points[i], half, kCapPieces));
    if (i + 1 == points.size()) break;
    const Point& a = points[i];
    const Point& b = points[i + 1];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length == 0) continue;
    const double nx = -(b.y - a.y) / length * half;
    const double ny = (b.x - a.x) / length * half;
    shape.push_back(oriented(
        {{a.x + nx, a.y + ny}, {b.x + nx, b.y + ny}, {b.x - nx, b.y - ny}, {a.x - nx, a.y - ny}}));
  }
  return shape;
}

Contour arc_points(double cx, double cy, double radius, double from, double to) {
  const int pieces = std::max(3, static_cast<int>(std::abs(to - from) / 360 * kOvalPieces));
  Contour points;
  points.reserve(static_cast<size_t>(pieces) + 2);
  for (int i = 0; i <= pieces; ++i) {
    const double angle = radians(from + (to - from) * i / pieces);
    points.push_back({cx + radius * std::cos(angle), cy + radius * std::sin(angle)});
  }
  return points;
}

}  // namespace

Shape oval(double cx, double cy, double rx, double ry, double degrees) {
  const Affine map = shifted(cx, cy) * turned(degrees) * scaled(rx, ry);
  return mapped({circle({0, 0}, 1, kOvalPieces)}, map);
}

Shape slab(double x0, double y0, double x1, double y1, double radius) {
  const double r = std::min({radius, (x1 - x0) / 2, (y1 - y0) / 2});
  if (r <= 0) return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}};
  Contour contour;
  auto corner = [&](double cx, double cy, double from) {
    for (int i = 0; i <= 6; ++i) {
      const double angle = radians(from + 15.0 * i);
      contour.push_back({cx + r * std::cos(angle), cy + r * std::sin(angle)});
    }
  };
  corner(x1 - r, y1 - r, 0);
  corner(x0 + r, y1 - r, 90);
  corner(x0 + r, y0 + r, 180);
  corner(x1 - r, y0 + r, 270);
  return {contour};
}

Shape poly(std::initializer_list<Point> points) {
  return {oriented(points)};
}

Shape blob(std::initializer_list<Point> points) {
  const std::vector<Point> p = points;
  const size_t n = p.size();
  Contour contour;
  for (size_t i = 0; i < n; ++i) {
    for (int k = 0; k < kSpanPieces; ++k) {
      contour.push_back(catmull_rom(p[(i + n - 1) % n],
                                    p[i],
                                    p[(i + 1) % n],
                                    p[(i + 2) % n],
                                    static_cast<double>(k) / kSpanPieces));
    }
  }
  return {oriented(contour)};
}

Shape line(std::initializer_list<Point> points, double width) {
  return stroked({points.begin(), points.size()}, width);
}

Shape curve(std::initializer_list<Point> points, double width) {
  const std::vector<Point> p = points;
  std::vector<Point> smooth;
  for (size_t i = 0; i + 1 < p.size(); ++i) {
    for (int k = 0; k < kSpanPieces; ++k) {
      smooth.push_back(catmull_rom(p[i == 0 ? 0 : i - 1],
                                   p[i],
                                   p[i + 1],
                                   p[std::min(i + 2, p.size() - 1)],
                                   static_cast<double>(k) / kSpanPieces));
    }
  }
  smooth.push_back(p.back());
  return stroked(smooth, width);
}

Shape ring(double cx, double cy, double radius, double width) {
  return without(oval(cx, cy, radius + width / 2, radius + width / 2),
                 oval(cx, cy, radius - width / 2, radius - width / 2));
}

Shape arc(double cx, double cy, double radius, double from, double to, double width) {
  return stroked(arc_points(cx, cy, radius, from, to), width);
}

Shape wedge(double cx, double cy, double radius, double from, double to) {
  Contour points = arc_points(cx, cy, radius, from, to);
  points.push_back({cx, cy});
  return {oriented(points)};
}

Shape both(Shape first, const Shape& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Shape without(Shape first, const Shape& hole) {
  for (const Contour& contour : hole) {
    first.emplace_back(contour.rbegin(), contour.rend());
  }
  return first;
}

}  // namespace snellen::eyechart
