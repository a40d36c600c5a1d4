// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/codecs/exif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::media {
namespace {

using ::testing::ElementsAre;

// One entry: tag 0x0112, type short, count 1, value.
std::string little_endian_block(char value) {
  std::string block("II\x2a\0\x8\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0", 22);
  block[18] = value;
  return block;
}

// 2x1 pixels told apart by their first byte.
Image pair_of_pixels() {
  Image image = Image::blank(2, 1);
  image.pixels = {1, 0, 0, 2, 0, 0};
  return image;
}

TEST(ExifOrientation, ReadsBothByteOrdersWithAndWithoutPrefix) {
  EXPECT_EQ(exif_orientation(little_endian_block(6)), 6);
  EXPECT_EQ(exif_orientation(std::string("Exif\0\0", 6) + little_endian_block(3)), 3);
}

TEST(ExifOrientation, IsOneForBlocksThatAreCutOrHoldNonsense) {
  std::string block = little_endian_block(6);
  EXPECT_EQ(exif_orientation(""), 1);
  for (size_t size = 0; size < 12; ++size) EXPECT_EQ(exif_orientation(block.substr(0, size)), 1);
  EXPECT_EQ(exif_orientation(little_endian_block(9)), 1);
  block[4] = static_cast<char>(0xff);  // the directory lies outside
  block[7] = static_cast<char>(0xff);
  EXPECT_EQ(exif_orientation(block), 1);
}

TEST(Oriented, MirrorsAndTurns) {
  EXPECT_EQ(oriented(pair_of_pixels(), 1), pair_of_pixels());
  EXPECT_THAT(oriented(pair_of_pixels(), 2).pixels, ElementsAre(2, 0, 0, 1, 0, 0));
  EXPECT_EQ(oriented(pair_of_pixels(), 6).height, 2);
  EXPECT_THAT(oriented(pair_of_pixels(), 6).pixels, ElementsAre(1, 0, 0, 2, 0, 0));
  EXPECT_THAT(oriented(pair_of_pixels(), 8).pixels, ElementsAre(2, 0, 0, 1, 0, 0));
}

}  // namespace
}  // namespace snellen::media
