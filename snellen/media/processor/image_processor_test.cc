// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/processor/image_processor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::media {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ProcessorConfig shortest(int edge, int crop, CropRule rule = CropRule::kHuggingFace) {
  ProcessorConfig config;
  config.resize = ResizeRule::kShortestEdge;
  config.shortest_edge = edge;
  config.is_cropped = crop > 0;
  config.crop_height = config.crop_width = crop;
  config.crop_rule = rule;
  return config;
}

TEST(Geometry, TruncatesTheLongSide) {
  Geometry geometry = geometry_of(shortest(224, 224), 640, 480).value();
  EXPECT_EQ(geometry.resized_width, 298);
  EXPECT_EQ(geometry.window.left, 37);
}

TEST(Geometry, DiffersByOneWhereTheMarginIsThreeModuloFour) {
  EXPECT_EQ(geometry_of(shortest(4, 4), 7, 4).value().window.left, 1);
  EXPECT_EQ(geometry_of(shortest(4, 4, CropRule::kTorchvision), 7, 4).value().window.left, 2);
}

TEST(Geometry, PutsTheOddRowOfPaddingAboveForHuggingFace) {
  EXPECT_EQ(geometry_of(shortest(3, 6), 3, 3).value().top, 2);
  EXPECT_EQ(geometry_of(shortest(3, 6, CropRule::kTorchvision), 3, 3).value().top, 1);
}

TEST(Geometry, CapsTheLongSideAndRoundsTheShortOneHalfToEven) {
  ProcessorConfig config = shortest(100, 0);
  config.longest_edge = 150;
  Geometry geometry = geometry_of(config, 600, 100).value();
  EXPECT_EQ(geometry.resized_width, 150);
  EXPECT_EQ(geometry.resized_height, 25);
  geometry = geometry_of(config, 300, 17).value();  // 8.5
  EXPECT_EQ(geometry.resized_height, 8);
  EXPECT_EQ(geometry.resized_width, 150);
}

TEST(Geometry, FloorsVilTToAMultipleAndFailsWhereNothingIsLeft) {
  ProcessorConfig config = shortest(384, 0);
  config.resize = ResizeRule::kMultiple;
  config.size_divisor = 32;
  Geometry geometry = geometry_of(config, 640, 480).value();
  EXPECT_EQ(geometry.resized_width, 512);
  EXPECT_EQ(geometry.resized_height, 384);
  Result<Geometry> slim = geometry_of(config, 5000, 1);
  ASSERT_FALSE(slim);
  EXPECT_THAT(slim.error().message(), HasSubstr("5000x1"));
}

TEST(Geometry, RefusesAResultOfTooManyPixels) {
  EXPECT_FALSE(geometry_of(shortest(224, 0), 1, 5000));
  EXPECT_TRUE(geometry_of(shortest(224, 224), 1, 5000));
}

TEST(ImageProcessor, PadsWithBlackBeforeNormalising) {
  ProcessorConfig config = shortest(1, 2);
  config.mean = {0.5, 0.5, 0.5};
  config.std = {0.25, 0.5, 1};
  Image picture = Image::blank(1, 1);
  picture.pixels = {255, 255, 255};
  PixelTensor tensor = ImageProcessor(config).process(picture).value();
  EXPECT_THAT(tensor.values, ElementsAre(-2, -2, -2, 2, -1, -1, -1, 1, -0.5f, -0.5f, -0.5f, 0.5f));
}

TEST(ImageProcessor, SubtractsOneAndDividesAgainForEfficientNet) {
  ProcessorConfig config = shortest(1, 1);
  config.rescale_factor = 1 / 127.5;
  config.is_offset = true;
  config.is_normalized = false;
  config.std = {0.5, 0.5, 0.5};
  config.is_divided_again = true;
  Image picture = Image::blank(1, 1);
  picture.pixels = {0, 255, 51};
  PixelTensor tensor = ImageProcessor(config).process(picture).value();
  EXPECT_FLOAT_EQ(tensor.values[0], -2);
  EXPECT_FLOAT_EQ(tensor.values[1], 2);
  EXPECT_FLOAT_EQ(tensor.values[2], (51 / 127.5f - 1) / 0.5f);
}

TEST(ImageProcessor, KeepsBytesAsTheyAreWhenNothingIsAsked) {
  ProcessorConfig config = shortest(1, 1);
  config.is_rescaled = config.is_normalized = false;
  Image picture = Image::blank(1, 1);
  picture.pixels = {0, 7, 255};
  EXPECT_THAT(ImageProcessor(config).process(picture).value().values, ElementsAre(0, 7, 255));
}

}  // namespace
}  // namespace snellen::media
