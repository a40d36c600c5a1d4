// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/image.h"

#include <gtest/gtest.h>

namespace snellen::media {
namespace {

TEST(Image, RowsFollowEachOtherWithoutGaps) {
  Image image = Image::blank(2, 3);
  ASSERT_EQ(image.pixels.size(), 18u);
  image.row(1)[0] = 7;
  EXPECT_EQ(image.pixels[6], 7);
  EXPECT_EQ(image.row(2).size(), 6u);
}

}  // namespace
}  // namespace snellen::media
