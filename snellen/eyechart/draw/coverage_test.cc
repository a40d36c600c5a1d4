// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/coverage.h"

#include <gtest/gtest.h>

#include "snellen/eyechart/draw/shapes.h"

namespace snellen::eyechart {
namespace {

constexpr Box kFrame{0, 0, 100, 100};

double total(const Coverage& coverage) {
  double sum = 0;
  for (int y = 0; y < coverage.height(); ++y) {
    for (const float value : coverage.row(y)) sum += value;
  }
  return sum;
}

TEST(Coverage, GivesEachPixelTheShareThatIsCovered) {
  Coverage coverage;
  coverage.fill(slab(10.25, 20.5, 12, 22), kFrame);
  ASSERT_EQ(coverage.left(), 10);
  ASSERT_EQ(coverage.top(), 20);
  EXPECT_FLOAT_EQ(coverage.row(0)[0], 0.375F);  // three quarters wide, half high
  EXPECT_FLOAT_EQ(coverage.row(0)[1], 0.5F);
  EXPECT_FLOAT_EQ(coverage.row(1)[0], 0.75F);
  EXPECT_FLOAT_EQ(coverage.row(1)[1], 1.0F);
}

TEST(Coverage, KeepsTheAreaOfSlantedShapes) {
  Coverage coverage;
  coverage.fill(poly({{3.3, 4.1}, {60.7, 9.9}, {20.2, 77.7}}), kFrame);
  const double area = 0.5 * std::abs((60.7 - 3.3) * (77.7 - 4.1) - (20.2 - 3.3) * (9.9 - 4.1));
  EXPECT_NEAR(total(coverage), area, 1e-2);  // float sums over 4,000 pixels
}

TEST(Coverage, LeavesHolesOpenAndCountsOverlapsOnce) {
  Coverage coverage;
  coverage.fill(without(slab(0, 0, 10, 10), slab(2, 2, 4, 4)), kFrame);
  EXPECT_NEAR(total(coverage), 96, 1e-4);
  coverage.fill(both(slab(0, 0, 10, 10), slab(5, 0, 15, 10)), kFrame);
  EXPECT_NEAR(total(coverage), 150, 1e-4);
}

TEST(Coverage, CutsAtTheFrame) {
  Coverage coverage;
  coverage.fill(slab(-5, -5, 5, 5), kFrame);
  EXPECT_NEAR(total(coverage), 25, 1e-4);
  coverage.fill(slab(200, 0, 210, 10), kFrame);
  EXPECT_EQ(coverage.width(), 0);
}

}  // namespace
}  // namespace snellen::eyechart
