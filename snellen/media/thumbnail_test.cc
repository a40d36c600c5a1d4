// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/thumbnail.h"

#include <array>

#include <gtest/gtest.h>

namespace snellen::media {
namespace {

Image filled(int width, int height, uint8_t value) {
  Image image = Image::blank(width, height);
  for (uint8_t& byte : image.pixels) byte = value;
  return image;
}

TEST(Thumbnail, KeepsTheShapeAndNeverEnlarges) {
  const Image wide = thumbnail(filled(300, 100, 7), 60);
  EXPECT_EQ(wide.width, 60);
  EXPECT_EQ(wide.height, 20);
  EXPECT_EQ(thumbnail(filled(5000, 1, 7), 50).height, 1);
  EXPECT_EQ(thumbnail(filled(40, 30, 7), 60), filled(40, 30, 7));
}

TEST(SquareThumbnail, TakesTheMiddle) {
  Image image = filled(90, 30, 0);
  for (int y = 0; y < 30; ++y) {
    for (size_t x = 30 * 3; x < 60 * 3; ++x) image.row(y)[x] = 200;
  }
  EXPECT_EQ(square_thumbnail(image, 30), filled(30, 30, 200));
  EXPECT_EQ(square_thumbnail(filled(10, 7, 9), 20), filled(20, 20, 9));
}

TEST(ContactStrip, PutsPicturesSideBySide) {
  const std::array images = {filled(8, 8, 10), filled(16, 12, 20)};
  const Image strip = contact_strip(images, 4);
  EXPECT_EQ(strip.width, 8);
  EXPECT_EQ(strip.height, 4);
  EXPECT_EQ(strip.row(3)[11], 10);
  EXPECT_EQ(strip.row(0)[12], 20);
}

}  // namespace
}  // namespace snellen::media
