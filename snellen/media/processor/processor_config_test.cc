// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/processor/processor_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::media {
namespace {

using ::testing::HasSubstr;

ProcessorConfig parsed(std::string_view json) {
  return parse_processor_config(json, "folder/preprocessor_config.json");
}

std::string complaint(std::string_view json) {
  try {
    parsed(json);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    EXPECT_THAT(error.where(), HasSubstr("preprocessor_config.json"));
    return error.message();
  }
  return "was taken";
}

TEST(ProcessorConfig, FillsInWhatTheClassAssumes) {
  ProcessorConfig clip = parsed(R"({"image_processor_type":"CLIPImageProcessor"})");
  EXPECT_EQ(clip.resize, ResizeRule::kShortestEdge);
  EXPECT_EQ(clip.shortest_edge, 224);
  EXPECT_TRUE(clip.is_cropped);
  EXPECT_EQ(clip.crop_width, 224);
  EXPECT_EQ(clip.filter, Filter::kBicubic);
  ProcessorConfig align = parsed(R"({"image_processor_type":"EfficientNetImageProcessor"})");
  EXPECT_EQ(align.height, 346);
  EXPECT_FALSE(align.is_cropped);
  EXPECT_TRUE(align.is_divided_again);
}

TEST(ProcessorConfig, ReadsOldSpellings) {
  ProcessorConfig clip =
      parsed(R"({"feature_extractor_type":"CLIPFeatureExtractor","size":30,"crop_size":20})");
  EXPECT_EQ(clip.shortest_edge, 30);
  EXPECT_EQ(clip.crop_height, 20);
  ProcessorConfig blip = parsed(R"({"image_processor_type":"BlipImageProcessorFast","size":30})");
  EXPECT_EQ(blip.resize, ResizeRule::kExact);
  EXPECT_EQ(blip.width, 30);
  ProcessorConfig flava =
      parsed(R"({"image_processor_type":"FlavaImageProcessor","size":[10,20]})");
  EXPECT_EQ(flava.height, 10);
  EXPECT_EQ(flava.width, 20);
}

TEST(ProcessorConfig, TakesBridgeTowersCropFromItsSizeWhenThereIsNone) {
  EXPECT_EQ(
      parsed(R"({"image_processor_type":"BridgeTowerImageProcessor","size":{"shortest_edge":294}})")
          .crop_width,
      294);
}

TEST(ProcessorConfig, ReadsTheProcessorFileOfNewFolders) {
  EXPECT_EQ(parsed(R"({"image_processor":{"image_processor_type":"SiglipImageProcessor",)"
                   R"("size":{"height":7,"width":9}}})")
                .width,
            9);
}

TEST(ProcessorConfig, NamesTheKeyThatIsWrong) {
  const std::string clip = R"({"image_processor_type":"CLIPImageProcessor",)";
  EXPECT_THAT(complaint("[]"), HasSubstr("is not a JSON object"));
  EXPECT_THAT(complaint("{"), HasSubstr("is not JSON"));
  EXPECT_THAT(complaint("{}"), HasSubstr("image_processor_type"));
  EXPECT_THAT(complaint(R"({"image_processor_type":"ClipImageProcessor"})"), HasSubstr("CLIP"));
  EXPECT_THAT(complaint(clip + R"("size":{"height":3}})"), HasSubstr("'size'"));
  EXPECT_THAT(complaint(clip + R"("size":-1})"), HasSubstr("'size'"));
  EXPECT_THAT(complaint(clip + R"("size":1e9})"), HasSubstr("'size'"));
  EXPECT_THAT(complaint(clip + R"("resample":6})"), HasSubstr("'resample'"));
  EXPECT_THAT(complaint(clip + R"("do_resize":1})"), HasSubstr("'do_resize'"));
  EXPECT_THAT(complaint(clip + R"("image_mean":[1,2]})"), HasSubstr("'image_mean'"));
  EXPECT_THAT(complaint(clip + R"("image_std":0})"), HasSubstr("'image_std'"));
  EXPECT_THAT(complaint(clip + R"("crop_size":{"shortest_edge":4}})"), HasSubstr("'crop_size'"));
}

TEST(OpenClipConfig, TakesTheSizeFromTheVisionTower) {
  ProcessorConfig config = parse_open_clip_config(
      R"({"model_cfg":{"vision_cfg":{"image_size":33}},"preprocess_cfg":{"interpolation":"bilinear"}})",
      "open_clip_config.json");
  EXPECT_EQ(config.shortest_edge, 33);
  EXPECT_EQ(config.crop_rule, CropRule::kTorchvision);
  EXPECT_EQ(config.filter, Filter::kBilinear);
  EXPECT_THROW(parse_open_clip_config(R"({"preprocess_cfg":{"resize_mode":"other"}})", "a"), Error);
}

TEST(ReadProcessorConfig, SaysWhichFilesItLookedFor) {
  try {
    read_processor_config("no/such/folder");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
    EXPECT_THAT(error.message(), HasSubstr("preprocessor_config.json"));
  }
}

TEST(ProcessorConfig, RefusesDivisorsThatMakePixelsInfinite) {
  for (const char* divisor : {"0", "1e-300", "1e-40"}) {
    const std::string json =
        R"({"image_processor_type": "CLIPImageProcessor", "image_std": [1, 1, )" +
        std::string(divisor) + "]}";
    EXPECT_THAT(complaint(json), HasSubstr("too small to divide by")) << divisor;
  }
}

TEST(ProcessorConfig, RefusesAFileThatNestsTooDeep) {
  EXPECT_THAT(complaint(R"({"image_processor": {"a": )" + std::string(200000, '[')),
              HasSubstr("nests deeper"));
}

}  // namespace
}  // namespace snellen::media
