// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/picture_positions.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::training {
namespace {

constexpr int64_t kSide = 14, kWidth = 192;

double correlation_with_mirror(bool mirrors_x) {
  const std::vector<float> table = picture_positions(kSide * kSide + 1, kWidth);
  auto row = [&](int64_t x, int64_t y) { return table.data() + (1 + y * kSide + x) * kWidth; };
  double product = 0, square = 0;
  std::vector<double> mean(kWidth, 0.0);
  for (int64_t i = 0; i < kSide * kSide; ++i) {
    for (int64_t c = 0; c < kWidth; ++c)
      mean[static_cast<size_t>(c)] += row(i % kSide, i / kSide)[c] / (kSide * kSide * 1.0);
  }
  for (int64_t y = 0; y < kSide; ++y) {
    for (int64_t x = 0; x < kSide; ++x) {
      const float* other = mirrors_x ? row(kSide - 1 - x, y) : row(x, kSide - 1 - y);
      for (int64_t c = 0; c < kWidth; ++c) {
        const double middle = mean[static_cast<size_t>(c)];
        product += (row(x, y)[c] - middle) * (other[c] - middle);
        square += (row(x, y)[c] - middle) * (row(x, y)[c] - middle);
      }
    }
  }
  return product / square;
}

TEST(PicturePositions, DifferFromTheirMirrorImages) {
  EXPECT_LT(correlation_with_mirror(/*mirrors_x=*/true), 0.6);
  EXPECT_NEAR(correlation_with_mirror(true), correlation_with_mirror(false), 1e-9);
}

TEST(PicturePositions, HaveTheSizeOfALearntTableAndAHalf) {
  const std::vector<float> table = picture_positions(kSide * kSide + 1, kWidth);
  ASSERT_EQ(table.size(), static_cast<size_t>((kSide * kSide + 1) * kWidth));
  double sum = 0;
  for (float value : table) sum += value * value;
  EXPECT_NEAR(std::sqrt(sum / (kSide * kSide * kWidth)), 0.17, 1e-6);
  for (int64_t c = 0; c < kWidth; ++c) EXPECT_EQ(table[static_cast<size_t>(c)], 0.0F);
}

TEST(PicturePositions, TellXInTheFirstHalfAndYInTheSecond) {
  const std::vector<float> table = picture_positions(kSide * kSide + 1, kWidth);
  auto at = [&](int64_t x, int64_t y, int64_t c) {
    return table[static_cast<size_t>((1 + y * kSide + x) * kWidth + c)];
  };
  for (int64_t c = 0; c < kWidth / 2; ++c) {
    EXPECT_EQ(at(3, 2, c), at(3, 9, c));
    EXPECT_EQ(at(3, 2, kWidth / 2 + c), at(8, 2, kWidth / 2 + c));
    EXPECT_EQ(at(5, 2, c), at(2, 5, kWidth / 2 + c));
  }
  EXPECT_NE(at(3, 2, 0), at(4, 2, 0));
}

TEST(PicturePositions, AreNoneForOtherTables) {
  EXPECT_TRUE(picture_positions(50, 30).empty());    // width
  EXPECT_TRUE(picture_positions(200, 192).empty());  // no square
  EXPECT_TRUE(picture_positions(1, 192).empty());
}

}  // namespace
}  // namespace snellen::training
