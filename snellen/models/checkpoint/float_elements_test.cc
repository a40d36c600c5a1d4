// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/float_elements.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::models {
namespace {

// A value written as `type` and read again.
float through(float value, ElementType type) {
  std::string bytes = bytes_of(std::vector<float>{value}, type);
  return floats_of({.type = type, .shape = {1}, .strides = {1}, .bytes = bytes})[0];
}

TEST(FloatElements, KeepsEveryBitOfFloat32) {
  EXPECT_TRUE(std::signbit(through(-0.0F, ElementType::kF32)));
  EXPECT_EQ(through(0.1F, ElementType::kF32), 0.1F);
}

TEST(FloatElements, RoundsHalvesToNearestTiesToEven) {
  EXPECT_EQ(through(1.0F, ElementType::kF16), 1.0F);
  EXPECT_EQ(through(0.1F, ElementType::kF16), 0x1.998p-4F);
  EXPECT_EQ(through(1 + 0x1p-11F, ElementType::kF16), 1.0F);             // a tie, 1 is even
  EXPECT_EQ(through(1 + 3 * 0x1p-11F, ElementType::kF16), 1 + 0x1p-9F);  // a tie, upwards
  EXPECT_EQ(through(65504.0F, ElementType::kF16), 65504.0F);
  EXPECT_EQ(through(65519.0F, ElementType::kF16), 65504.0F);
  EXPECT_TRUE(std::isinf(through(65520.0F, ElementType::kF16)));
  EXPECT_EQ(through(0x1p-24F, ElementType::kF16), 0x1p-24F);  // the smallest
  EXPECT_EQ(through(0x1p-25F, ElementType::kF16), 0.0F);      // a tie, 0 is even
  EXPECT_EQ(through(0x1.8p-25F, ElementType::kF16), 0x1p-24F);
  EXPECT_EQ(through(0x1.ff8p-15F, ElementType::kF16), 0x1.ff8p-15F);  // not normal, all its bits
  EXPECT_TRUE(std::signbit(through(-0.0F, ElementType::kF16)));
  EXPECT_TRUE(std::isnan(through(std::numeric_limits<float>::quiet_NaN(), ElementType::kF16)));
}

TEST(FloatElements, RoundsBrainFloatsToNearestTiesToEven) {
  EXPECT_EQ(through(1 + 0x1p-8F, ElementType::kBF16), 1.0F);
  EXPECT_EQ(through(1 + 3 * 0x1p-8F, ElementType::kBF16), 1 + 0x1p-6F);
  EXPECT_TRUE(std::isinf(through(std::numeric_limits<float>::max(), ElementType::kBF16)));
  EXPECT_TRUE(std::isnan(through(std::numeric_limits<float>::quiet_NaN(), ElementType::kBF16)));
}

TEST(FloatElements, ReadsRowByRowWhateverTheStrides) {
  std::string bytes = handmade::floats({1, 2, 3, 4, 5, 6});
  StoredTensorView turned = {
      .type = ElementType::kF32, .shape = {3, 2}, .strides = {1, 3}, .bytes = bytes};
  EXPECT_EQ(floats_of(turned), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  StoredTensorView scalar = {.type = ElementType::kF32, .shape = {}, .strides = {}, .bytes = bytes};
  EXPECT_EQ(floats_of(scalar), (std::vector<float>{1}));
}

TEST(FloatElements, WritesOnlyFloats) {
  EXPECT_THROW((void)bytes_of(std::vector<float>{1}, ElementType::kI64), Error);
}

}  // namespace
}  // namespace snellen::models
