// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/labelled_row.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace snellen::media {
namespace {

Image gray(int width, int height) {
  Image image = Image::blank(width, height);
  std::fill(image.pixels.begin(), image.pixels.end(), uint8_t{100});
  return image;
}

// Black pixels below the pictures: the ink of the labels.
int64_t ink(const Image& row, int left, int right, int top) {
  int64_t count = 0;
  for (int y = top; y < row.height; ++y) {
    for (int x = left; x < right; ++x) count += row.row(y)[3 * static_cast<size_t>(x)] == 0 ? 1 : 0;
  }
  return count;
}

TEST(LabelledRow, LeavesGapsAndWritesUnderEachPicture) {
  const Image low = gray(40, 20), high = gray(40, 30);
  const std::array pictures = {LabelledPicture{&low, "e2"}, LabelledPicture{&high, "1.5 s"}};
  const Image row = labelled_row(pictures);
  EXPECT_EQ(row.width, 40 + 40 + 3 * 8);
  EXPECT_EQ(row.height, 30 + 7 + 3 * 8);
  EXPECT_EQ(row.row(8)[3 * 8], 100);
  EXPECT_EQ(row.row(8)[3 * 50], 255) << "the gap is paper";
  EXPECT_EQ(row.row(28)[3 * 8], 255) << "below the lower picture is paper";
  EXPECT_EQ(row.row(37)[3 * 56], 100);
  EXPECT_GT(ink(row, 8, 48, 46), 0);
  EXPECT_GT(ink(row, 56, 96, 46), 0);
  EXPECT_EQ(ink(row, 48, 56, 46), 0);
}

TEST(LabelledRow, CutsALabelThatIsWiderThanItsPicture) {
  const Image small = gray(20, 20);
  const std::array pictures = {LabelledPicture{&small, "original"}, LabelledPicture{&small, ""}};
  const Image row = labelled_row(pictures);
  EXPECT_GT(ink(row, 8, 28, 36), 0);
  EXPECT_EQ(ink(row, 28, row.width, 36), 0);
}

TEST(LabelledRow, LeavesUnknownCharactersBlank) {
  const Image small = gray(20, 20);
  const std::array pictures = {LabelledPicture{&small, "\xc3\xa9"}};
  const Image row = labelled_row(pictures);
  EXPECT_EQ(ink(row, 0, row.width, 36), 0);
}

}  // namespace
}  // namespace snellen::media
