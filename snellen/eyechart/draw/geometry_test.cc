// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/geometry.h"

#include <gtest/gtest.h>

#include "snellen/eyechart/draw/shapes.h"

namespace snellen::eyechart {
namespace {

TEST(Affine, GoesThereAndBack) {
  const Affine map = shifted(3, -2) * turned(30) * scaled(2, 0.5);
  const Point p = map.inverse()(map({7, 11}));
  EXPECT_NEAR(p.x, 7, 1e-12);
  EXPECT_NEAR(p.y, 11, 1e-12);
}

TEST(Affine, AppliesTheInnerMapFirst) {
  const Point p = (shifted(10, 0) * scaled(2, 2))({1, 1});
  EXPECT_DOUBLE_EQ(p.x, 12);
  EXPECT_DOUBLE_EQ(p.y, 2);
}

TEST(Shapes, AreOrientedAlike) {
  EXPECT_GT(doubled_area(poly({{0, 0}, {0, 1}, {1, 0}}).front()), 0);
  EXPECT_GT(doubled_area(poly({{0, 0}, {1, 0}, {0, 1}}).front()), 0);
  EXPECT_GT(doubled_area(oval(0, 0, 1, 1).front()), 0);
  EXPECT_GT(doubled_area(slab(0, 0, 4, 4, 1).front()), 0);
  for (const Contour& contour : line({{0, 0}, {5, 5}, {0, 9}}, 2))
    EXPECT_GT(doubled_area(contour), 0);
}

TEST(Shapes, HaveTheBoxTheyAreAskedFor) {
  const Box box = box_of(oval(5, 5, 2, 1));
  EXPECT_NEAR(box.x0, 3, 1e-9);
  EXPECT_NEAR(box.y1, 6, 1e-9);
}

}  // namespace
}  // namespace snellen::eyechart
