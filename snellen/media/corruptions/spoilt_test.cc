// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/spoilt.h"

#include <algorithm>
#include <array>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

#include "snellen/media/corruptions/fourier.h"

namespace snellen::media {
namespace {

Image counting(int width, int height) {
  Image image = Image::blank(width, height);
  for (size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<uint8_t>(i * 37 % 251);
  return image;
}

std::vector<std::array<uint8_t, 3>> sorted_pixels(const Image& image) {
  std::vector<std::array<uint8_t, 3>> pixels;
  for (size_t i = 0; i < image.pixels.size(); i += 3)
    pixels.push_back({image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]});
  std::sort(pixels.begin(), pixels.end());
  return pixels;
}

TEST(MeanColour, IsRoundedHalfToEven) {
  Image image = Image::blank(2, 1);
  image.pixels = {0, 1, 10, 1, 2, 20};
  EXPECT_EQ(mean_colour(image).pixels, (std::vector<uint8_t>{0, 2, 15, 0, 2, 15}));
}

TEST(Occluded, CoversACentredSquare) {
  Image out = occluded(Image::blank(4, 4), 0.25);
  for (int y = 0; y < 4; ++y) {
    for (size_t x = 0; x < 4; ++x) {
      bool is_inside = y >= 1 && y <= 2 && x >= 1 && x <= 2;
      EXPECT_EQ(out.row(y)[3 * x], is_inside ? 128 : 0);
    }
  }
}

TEST(Occluded, BecomesABarWhereASquareDoesNotFit) {
  Image out = occluded(Image::blank(10, 2), 0.5);  // 10 pixels: 5 wide, 2 high
  EXPECT_EQ(std::count(out.pixels.begin(), out.pixels.end(), 128), 30);
  EXPECT_EQ(occluded(counting(7, 5), 1).pixels, std::vector<uint8_t>(105, 128));
  EXPECT_EQ(occluded(counting(7, 5), 0), counting(7, 5));
}

TEST(Blurred, MirrorsAtTheBorder) {
  // Sigma 0.4: radius 2, weights 1, exp(-3.125), exp(-12.5), over their sum 1.087883...
  Image image = Image::blank(3, 1);
  image.pixels = {0, 0, 0, 255, 255, 255, 0, 0, 0};
  Image out = blurred(image, 0.4);
  // 255 * 0.919214 = 234.4; left: 255 * (0.0403868 + 0.0000034 (the mirrored one)) = 10.3.
  EXPECT_EQ(out.pixels, (std::vector<uint8_t>{10, 10, 10, 234, 234, 234, 10, 10, 10}));
  Image flat = Image::blank(5, 7);
  std::fill(flat.pixels.begin(), flat.pixels.end(), uint8_t{77});
  EXPECT_EQ(blurred(flat, 9), flat);
}

TEST(PixelsShuffled, KeepsTheHistogram) {
  SplitMixStream stream(5);
  Image out = pixels_shuffled(counting(9, 8), stream);
  EXPECT_NE(out, counting(9, 8));
  EXPECT_EQ(sorted_pixels(out), sorted_pixels(counting(9, 8)));
}

TEST(PatchesShuffled, KeepsPatchesWholeAndTheRestInPlace) {
  SplitMixStream stream(5);
  Image before = counting(7, 5);
  Image out =
      *patches_shuffled(before, 3, stream);  // patches of 2 x 1; column 6, rows 3 and 4 stay
  EXPECT_EQ(sorted_pixels(out), sorted_pixels(before));
  EXPECT_TRUE(std::equal(out.row(3).begin(), out.row(3).end(), before.row(3).begin()));
  EXPECT_TRUE(std::equal(out.row(0).begin() + 18, out.row(0).end(), before.row(0).begin() + 18));
  EXPECT_FALSE(patches_shuffled(before, 6, stream));
  EXPECT_EQ(*patches_shuffled(before, 1, stream), before);
}

TEST(PhasesRandomised, KeepsTheMean) {
  Image before = Image::blank(13, 10);
  for (size_t i = 0; i < before.pixels.size(); ++i)
    before.pixels[i] = static_cast<uint8_t>(120 + i * 7 % 16);
  SplitMixStream stream(5);
  Image out = phases_randomised(before, stream);
  EXPECT_NE(out, before);
  double difference = 0;
  for (size_t i = 0; i < out.pixels.size(); ++i) difference += out.pixels[i] - before.pixels[i];
  EXPECT_NEAR(difference / static_cast<double>(out.pixels.size()), 0, 0.1);  // rounding only
}

TEST(Fourier, GivesTheSumsOfTheDefinitionForEveryKindOfLength) {
  for (size_t length : {1u, 2u, 8u, 30u, 37u, 101u}) {
    std::vector<std::complex<double>> values(length);
    for (size_t i = 0; i < length; ++i)
      values[i] = {static_cast<double>(i * i % 17), static_cast<double>(i % 5)};
    std::vector<std::complex<double>> transformed = values;
    Fourier fourier(length);
    fourier.forward(transformed);
    for (size_t k = 0; k < length; ++k) {
      std::complex<double> sum;
      for (size_t n = 0; n < length; ++n)
        sum += values[n] * std::polar(1.0,
                                      -2 * std::numbers::pi * static_cast<double>(k * n % length) /
                                          static_cast<double>(length));
      EXPECT_NEAR(std::abs(transformed[k] - sum), 0, 1e-9) << length;
    }
    fourier.inverse(transformed);
    for (size_t i = 0; i < length; ++i)
      EXPECT_NEAR(std::abs(transformed[i] - values[i]), 0, 1e-11) << length;
  }
}

}  // namespace
}  // namespace snellen::media
