// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/visuals/visual_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/media/codecs/encode.h"
#include "snellen/media/video/numbered_video.h"

namespace snellen::inference {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

// Bytes as they are decoded: no resizing, no crop.
const media::ImageProcessor& plain_processor() {
  static const media::ImageProcessor kProcessor{media::ProcessorConfig{}};
  return kProcessor;
}

class VisualReading : public testing::Test {
 protected:
  media::VisualPlace picture(int number) const {
    const std::filesystem::path path = folder_ / "picture.png";
    write_text_file(path, media::encode_png(media::numbered_image(number)));
    return {.path = path};
  }
  media::VisualPlace clip(int num_frames) const {
    return {.path = media::write_numbered(folder_ / "clip.mp4", num_frames),
            .clip = media::ClipWindow{}};
  }
  static media::Image frame_of(const VisualPixels& pixels, size_t i) {
    media::Image image =
        media::Image::blank(static_cast<int>(pixels.width), static_cast<int>(pixels.height));
    const size_t size = image.pixels.size();
    std::copy_n(
        pixels.bytes.begin() + static_cast<std::ptrdiff_t>(i * size), size, image.pixels.begin());
    return image;
  }

  media::ScratchFolder folder_;
};

TEST_F(VisualReading, DecodesAPicture) {
  const VisualReader reader(plain_processor(), {});
  const media::VisualPlace place = picture(37);
  const Result<VisualPixels> pixels = reader.decode(FileBytes(place.path), place);
  ASSERT_TRUE(pixels);
  EXPECT_EQ(pixels->num_frames, 1);
  EXPECT_TRUE(pixels->frames.empty());
  EXPECT_EQ(media::number_of(frame_of(*pixels, 0)), 37);
  EXPECT_EQ(reader.num_decoded(), 1U);
}

TEST_F(VisualReading, CropsBeforeItPrepares) {
  const VisualReader reader(plain_processor(), {});
  media::VisualPlace place = picture(1);
  place.crop = media::CropBox{.x = 0, .y = 0, .width = 16, .height = 16};
  const Result<VisualPixels> pixels = reader.decode(FileBytes(place.path), place);
  ASSERT_TRUE(pixels);
  EXPECT_EQ(pixels->width, 16);
  // The block of the lowest bit alone: white everywhere.
  EXPECT_THAT(pixels->bytes, testing::Each(255));
}

TEST_F(VisualReading, SaysWhatIsWrongWithAFile) {
  const VisualReader reader(plain_processor(), {});
  const std::filesystem::path path = folder_ / "no-picture.png";
  write_text_file(path, "not a picture");
  const Result<VisualPixels> pixels = reader.decode(FileBytes(path), {.path = path});
  ASSERT_FALSE(pixels);
  EXPECT_THAT(std::string(pixels.error().what()), testing::HasSubstr("no-picture.png"));
}

TEST_F(VisualReading, SpreadsTheFramesOfAClip) {
  const VisualReader reader(plain_processor(), {.frames_per_clip = 4});
  const Result<VisualPixels> pixels = reader.read_clip(clip(40));
  ASSERT_TRUE(pixels);
  EXPECT_EQ(pixels->num_frames, 4);
  ASSERT_THAT(pixels->frames, SizeIs(4));
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(media::number_of(frame_of(*pixels, i)), static_cast<int>(pixels->frames[i]));
  EXPECT_FALSE(pixels->is_masked);
}

TEST_F(VisualReading, RepeatsFramesOfAShortClipUnlessToldNotTo) {
  const media::VisualPlace place = clip(2);
  const Result<VisualPixels> padded =
      VisualReader(plain_processor(), {.frames_per_clip = 4}).read_clip(place);
  ASSERT_TRUE(padded);
  EXPECT_EQ(padded->num_frames, 4);
  const Result<VisualPixels> bare =
      VisualReader(plain_processor(), {.frames_per_clip = 4, .pads_clips = false}).read_clip(place);
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->num_frames, 2);
  EXPECT_THAT(bare->frames, ElementsAre(0, 1));
}

TEST_F(VisualReading, MarksClipsThatAreShownAsZeros) {
  const Result<VisualPixels> pixels =
      VisualReader(plain_processor(), {.masks_clips = true}).read_clip(clip(10));
  ASSERT_TRUE(pixels);
  EXPECT_TRUE(pixels->is_masked);
}

TEST_F(VisualReading, RefusesMoreFramesThanAnyModelTakes) {
  media::VisualPlace place = clip(300);
  for (int i = 0; i < 300; ++i) place.frames.push_back(i);
  const Result<VisualPixels> pixels = VisualReader(plain_processor(), {}).read_clip(place);
  ASSERT_FALSE(pixels);
  EXPECT_THAT(std::string(pixels.error().what()), testing::HasSubstr("300 frames"));
}

}  // namespace
}  // namespace snellen::inference
