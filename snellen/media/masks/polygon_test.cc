// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/polygon.h"

#include <limits>

#include <gtest/gtest.h>

#include "snellen/media/masks/mask.h"
#include "snellen/media/masks/segmentation.h"

namespace snellen::media {
namespace {

TEST(Polygon, ARectangleCoversWholePixels) {
  std::vector<double> xy = {1, 1, 4, 1, 4, 3, 1, 3};
  Rle rle = *rle_of_polygon(xy, 5, 6);
  // Columns 1..3, rows 1..2.
  EXPECT_EQ(rle.counts, (std::vector<uint32_t>{6, 2, 3, 2, 3, 2, 12}));
  EXPECT_EQ(area_of(rle), 6u);
}

TEST(Polygon, TheDirectionOfTheWalkDoesNotMatter) {
  std::vector<double> there = {0.3, 0.2, 9.7, 2.1, 5.5, 8.8};
  std::vector<double> back = {0.3, 0.2, 5.5, 8.8, 9.7, 2.1};
  EXPECT_EQ(rle_of_polygon(there, 10, 10)->counts, rle_of_polygon(back, 10, 10)->counts);
}

TEST(Polygon, OutsideThePictureNothingIsMarked) {
  std::vector<double> left = {-9, -9, -2, -9, -2, 50};
  EXPECT_EQ(*rle_of_polygon(left, 5, 6), blank_rle(5, 6));
  std::vector<double> around = {-100, -100, 100, -100, 100, 100, -100, 100};
  EXPECT_EQ(area_of(*rle_of_polygon(around, 5, 6)), 30u);
}

TEST(Polygon, APointTwiceIsNoHarm) {
  std::vector<double> once = {1, 1, 4, 1, 4, 3, 1, 3};
  std::vector<double> twice = {1, 1, 1, 1, 4, 1, 4, 3, 4, 3, 1, 3};
  EXPECT_EQ(*rle_of_polygon(once, 5, 6), *rle_of_polygon(twice, 5, 6));
}

TEST(Polygon, BadCoordinatesAreErrors) {
  std::vector<double> odd = {1, 2, 3, 4, 5, 6, 7};
  EXPECT_FALSE(rle_of_polygon(odd, 5, 6));
  std::vector<double> two_points = {1, 2, 3, 4};
  EXPECT_FALSE(rle_of_polygon(two_points, 5, 6));
  std::vector<double> nan = {1, 2, 3, 4, 5, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_FALSE(rle_of_polygon(nan, 5, 6));
  std::vector<double> far = {1, 2, 3, 4, 5, 1e300};
  EXPECT_FALSE(rle_of_polygon(far, 5, 6));
}

TEST(Polygon, TheNumberOfCrossingsIsBounded) {
  std::vector<double> zigzag;
  for (int i = 0; i < 100; ++i) {
    zigzag.push_back(i % 2 == 0 ? 0 : 100);
    zigzag.push_back(i);
  }
  EXPECT_TRUE(rle_of_polygon(zigzag, 100, 100, {.max_crossings = 10000}));
  EXPECT_FALSE(rle_of_polygon(zigzag, 100, 100, {.max_crossings = 9000}));
}

TEST(Segmentation, PolygonsAreUnitedAndSlimOnesIgnored) {
  Rle rle = *rle_of_segmentation("[[0,0,2,0,2,2,0,2],[9,9],[1,1,3,1,3,3,1,3]]", 4, 4);
  EXPECT_EQ(area_of(rle), 7u);
  EXPECT_EQ(*rle_of_segmentation("[]", 4, 4), blank_rle(4, 4));
}

TEST(Segmentation, ReadsBothKindsOfRuns) {
  Rle list = *rle_of_segmentation(R"({"counts":[1,3,2],"size":[2,3]})", 2, 3);
  EXPECT_EQ(list.counts, (std::vector<uint32_t>{1, 3, 2}));
  EXPECT_EQ(*rle_of_segmentation(R"({"size":[2,3],"counts":"132"})", 2, 3), list);
}

TEST(Segmentation, WhatIsNoSegmentationIsAnError) {
  for (const char* bad : {"",
                          "7",
                          "{}",
                          "[1]",
                          "[[1,\"a\"]]",
                          R"({"size":[2],"counts":[6]})",
                          R"({"size":[2,3],"counts":[-6]})",
                          R"({"size":[2,3],"counts":7})",
                          R"({"size":[3,2],"counts":[6]})",
                          "[[1,2,3,4,5,6]"}) {
    EXPECT_FALSE(rle_of_segmentation(bad, 2, 3)) << bad;
  }
}

}  // namespace
}  // namespace snellen::media
