// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/resample/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/rng.h"

namespace snellen::media {
namespace {

using ::testing::ElementsAre;

Image noise(int width, int height) {
  Image image = Image::blank(width, height);
  Rng rng("resize_test");
  // Half the bytes are extremes, where sums leave 0..255.
  for (uint8_t& byte : image.pixels) {
    uint64_t draw = rng.next();
    byte = draw & 256 ? static_cast<uint8_t>(draw) : draw & 512 ? 255 : 0;
  }
  return image;
}

Image greys(std::vector<uint8_t> values) {
  Image image = Image::blank(static_cast<int>(values.size()), 1);
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t c = 0; c < 3; ++c) image.pixels[3 * i + c] = values[i];
  }
  return image;
}

std::vector<uint8_t> first_channel(const Image& image) {
  std::vector<uint8_t> values;
  for (size_t i = 0; i < image.pixels.size(); i += 3) values.push_back(image.pixels[i]);
  return values;
}

TEST(Resize, AveragesWithBox) {
  EXPECT_THAT(first_channel(resize(greys({10, 20, 31, 40}), {2, 1, Filter::kBox})),
              ElementsAre(15, 36));
}

TEST(Resize, TakesTheSampleUnderTheCentreWithNearest) {
  EXPECT_THAT(first_channel(resize(greys({10, 20, 30, 40, 50}), {2, 1, Filter::kNearest})),
              ElementsAre(20, 40));
}

TEST(Resize, WidensBilinearWhenItShrinks) {
  // Support 2 around 1.0: weights 3/8, 3/8, 1/4 cut at the border -> (0*3 + 0*3 + 80*1) / 7.
  EXPECT_THAT(first_channel(resize(greys({0, 0, 80, 80}), {2, 1, Filter::kBilinear})),
              ElementsAre(11, 69));
}

TEST(Resize, LeavesAPictureOfItsOwnSizeAlone) {
  Image image = noise(7, 5);
  EXPECT_EQ(resize(image, {7, 5, Filter::kLanczos}), image);
}

TEST(Resize, GivesTheSameBytesOnEveryLevel) {
  const Image image = noise(97, 61);
  for (int code = 1; code <= 5; ++code) {
    for (auto [width, height] :
         {std::pair{31, 20}, {97, 20}, {31, 61}, {200, 90}, {1, 1}, {40, 3}}) {
      ResizeTarget target{width, height, static_cast<Filter>(code)};
      const Image plain = resize(image, target, SimdLevel::kPlain);
      for (SimdLevel level : {SimdLevel::kAvx2, SimdLevel::kAvx512}) {
        if (!is_supported(level)) continue;
        EXPECT_EQ(resize(image, target, level), plain) << code;
      }
    }
  }
}

TEST(Resize, ComputesAWindowAsItLiesInTheWhole) {
  const Image image = noise(50, 80);
  for (PassOrder order : {PassOrder::kPillow13, PassOrder::kHorizontalFirst}) {
    for (int code = 0; code <= 5; ++code) {
      ResizeTarget target{44, 20, static_cast<Filter>(code)};
      target.order = order;
      const Image whole = resize(image, target);
      target.window = Rectangle{5, 3, 30, 11};
      const Image part = resize(image, target);
      for (int y = 0; y < part.height; ++y) {
        auto expected = whole.row(3 + y).subspan(15, 90);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), part.row(y).begin()));
      }
    }
  }
}

TEST(Resize, ComputesOnlyTheWindowOfASlimPicture) {
  // The whole would have 1,120,000 rows.
  Image part =
      resize(noise(1, 5000), {224, 1'120'000, Filter::kBicubic, Rectangle{0, 559'888, 224, 224}});
  EXPECT_EQ(part.height, 224);
}

TEST(Resize, SplitsARowOfMillionsWithoutAChange) {
  // 20 million weights for the whole, 90,000 for one pixel of it.
  Image image = Image::blank(5'000'000, 1);
  for (size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<uint8_t>((i * i) >> 7);
  const Image whole = resize(image, {224, 1, Filter::kBicubic});
  for (int x : {0, 111, 112, 223}) {
    Image one = resize(image, {224, 1, Filter::kBicubic, Rectangle{x, 0, 1, 1}}, SimdLevel::kPlain);
    EXPECT_TRUE(std::equal(one.pixels.begin(), one.pixels.end(), whole.pixels.begin() + 3 * x));
  }
}

TEST(Resize, RefusesAWindowOutsideThePicture) {
  EXPECT_THROW(resize(noise(4, 4), {8, 8, Filter::kBox, Rectangle{4, 0, 5, 1}}), Error);
}

}  // namespace
}  // namespace snellen::media
