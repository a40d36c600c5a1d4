// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/crop.h"

#include <gtest/gtest.h>

namespace snellen::media {
namespace {

// Each pixel says where it lies: 16 * y + x in every channel, from 17 at the corner.
Image numbered(int width, int height) {
  Image image = Image::blank(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < 3 * width; ++x)
      image.row(y)[static_cast<size_t>(x)] = static_cast<uint8_t>(16 * (y + 1) + x / 3 + 1);
  }
  return image;
}

TEST(Crop, TakesTheBox) {
  Image crop = cropped(numbered(4, 3), {1, 1, 2, 2});
  EXPECT_EQ(crop.width, 2);
  EXPECT_EQ(crop.row(0)[0], 34);
  EXPECT_EQ(crop.row(1)[5], 51);
}

TEST(Crop, IsBlackOutsideOfThePicture) {
  Image crop = cropped(numbered(2, 2), {-1, 1, 4, 2});
  EXPECT_EQ(crop.row(0)[0], 0);
  EXPECT_EQ(crop.row(0)[3], 33);
  EXPECT_EQ(crop.row(0)[9], 0);
  EXPECT_EQ(crop.row(1)[3], 0);
  EXPECT_EQ(cropped(numbered(2, 2), {9, 9, 1, 1}), Image::blank(1, 1));
}

}  // namespace
}  // namespace snellen::media
