// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/clip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/media/video/numbered_video.h"

namespace snellen::media {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ClipTest : public testing::Test {
 protected:
  std::vector<int> numbers(const ClipWindow& window, bool is_compat = false) {
    return numbers_of(
        read_clip(path_, window, all_frames, {.is_compat = is_compat}).value().frames);
  }

  ScratchFolder folder_;
  // 3 s at 10 fps: frame i at i / 10 s.
  std::filesystem::path path_ = write_numbered(folder_ / "ten.mp4", 30, {10, 1});
};

TEST_F(ClipTest, IsHalfOpenInTimeByDefault) {
  EXPECT_THAT(numbers({1.0, 1.3}), ElementsAre(10, 11, 12));
  EXPECT_THAT(numbers({.end = 0.2}), ElementsAre(0, 1));
  EXPECT_THAT(numbers({.start = 2.75}), ElementsAre(28, 29));
}

TEST_F(ClipTest, TakesSecondsRoundedToFourDecimalsForTheFrameTheyMean) {
  const auto path = write_numbered(folder_ / "thirty.mp4", 40, {30, 1});
  // 8/30 = 0.26666..., written 0.2667; 11/30 = 0.36666..., written 0.3667.
  const Clip clip = read_clip(path, {0.2667, 0.3667}).value();
  EXPECT_THAT(numbers_of(clip.frames), ElementsAre(8, 9, 10));
}

TEST_F(ClipTest, ShowsTheFrameOnTheScreenWhenTheWindowIsBetweenTwo) {
  EXPECT_THAT(numbers({1.02, 1.05}), ElementsAre(10));
  EXPECT_THAT(numbers({2.95, 2.99}), ElementsAre(29));
}

TEST_F(ClipTest, IncludesBothEndsAndTheFrameBeforeInCompat) {
  EXPECT_THAT(numbers({1.0, 1.3}, true), ElementsAre(10, 11, 12, 13));
  EXPECT_THAT(numbers({1.05, 1.3}, true), ElementsAre(10, 11, 12, 13));
  EXPECT_THAT(numbers({0.0, 0.2}, true), ElementsAre(0, 1, 2));
  EXPECT_THAT(numbers({1.02, 1.05}, true), ElementsAre(10));
  EXPECT_EQ(numbers({0.0, 0.0}, true).size(), 30u) << "an end of 0 is no end";
}

TEST_F(ClipTest, CountsFramesWithTheEndExclusive) {
  for (const bool is_compat : {false, true}) {
    EXPECT_THAT(numbers({3, 6, ClipUnit::kFrames}, is_compat), ElementsAre(3, 4, 5));
    EXPECT_THAT(numbers({28, {}, ClipUnit::kFrames}, is_compat), ElementsAre(28, 29));
  }
}

TEST_F(ClipTest, AWindowWithoutAFrameIsAnErrorThatNamesTheFile) {
  for (const ClipWindow& window : {ClipWindow{7.0, 8.0},
                                   ClipWindow{30, 40, ClipUnit::kFrames},
                                   ClipWindow{5, 5, ClipUnit::kFrames},
                                   ClipWindow{2.0, 1.0},
                                   ClipWindow{-1.0, 1.0}}) {
    const auto clip = read_clip(path_, window);
    ASSERT_FALSE(clip);
    EXPECT_EQ(clip.error().code(), ErrorCode::kInvalidInput);
    EXPECT_THAT(clip.error().where(), HasSubstr("ten.mp4"));
  }
}

TEST_F(ClipTest, GivesTheSameFramesWhenTooFewBytesAreKept) {
  ClipRules rules;
  rules.limits.max_kept_bytes = 20'000;  // two frames
  for (const ClipWindow& window : {ClipWindow{0.5, 2.5}, ClipWindow{2, 29, ClipUnit::kFrames}}) {
    const ChooseFrames choose = [](std::span<const double> seconds) {
      const auto last = static_cast<int64_t>(seconds.size()) - 1;
      return FrameIndices{3, 1, 1, last, 0};
    };
    const Clip kept = read_clip(path_, window, choose).value();
    const Clip decoded_twice = read_clip(path_, window, choose, rules).value();
    EXPECT_EQ(kept.frames, decoded_twice.frames);
    EXPECT_EQ(kept.seconds, decoded_twice.seconds);
    EXPECT_EQ(kept.num_frames, decoded_twice.num_frames);
  }
}

TEST_F(ClipTest, SamplesAsAsked) {
  auto sampled = [&](const char* text, int64_t count) {
    WindowSampler window(0);
    const auto choose = chosen_by(FrameSampler::parse(text, count).value(), &window);
    return numbers_of(read_clip(path_, {}, choose).value().frames);
  };
  EXPECT_THAT(sampled("uniform", 3), ElementsAre(5, 15, 25));
  EXPECT_THAT(sampled("fps:1", 8), ElementsAre(0, 10, 20));
  EXPECT_EQ(sampled("all", 8).size(), 30u);
  EXPECT_EQ(sampled("window", 4).size(), 4u);
}

TEST_F(ClipTest, HoldsForAVariableRate) {
  const auto path = write_at_times(folder_ / "vfr.mp4", {0, 40, 500, 510, 900, 2000});
  const auto clip = read_clip(path, {0.5, 0.95}).value();
  EXPECT_THAT(numbers_of(clip.frames), ElementsAre(2, 3, 4));
}

TEST_F(ClipTest, GivesPicturesBackInTheirColours) {
  Image image = Image::blank(64, 64);
  for (size_t i = 0; i < image.pixels.size(); i += 3) {
    image.pixels[i] = 40;
    image.pixels[i + 1] = 128;
    image.pixels[i + 2] = 215;
  }
  VideoWriter writer(folder_ / "flat.mp4");
  writer.write(image, 0);
  writer.finish();
  const Image read = read_clip(folder_ / "flat.mp4", {0, 1}).value().frames.front();
  EXPECT_NEAR(read.pixels[0], 40, 3);
  EXPECT_NEAR(read.pixels[1], 128, 3);
  EXPECT_NEAR(read.pixels[2], 215, 3);
}

TEST_F(ClipTest, RefusesMoreRgbThanTheLimit) {
  ClipRules rules;
  rules.limits.max_clip_bytes = 160 * 32 * 3 * 4;
  EXPECT_TRUE(read_clip(path_, {0, 4, ClipUnit::kFrames}, all_frames, rules));
  const auto clip = read_clip(path_, {0, 5, ClipUnit::kFrames}, all_frames, rules);
  ASSERT_FALSE(clip);
  EXPECT_THAT(clip.error().message(), HasSubstr("bytes of RGB"));
}

}  // namespace
}  // namespace snellen::media
