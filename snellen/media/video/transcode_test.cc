// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/transcode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/media/video/numbered_video.h"

namespace snellen::media {
namespace {

using testing::ElementsAre;

TEST(NormalizeRate, RepeatsTheFramesOfASlowVideo) {
  const ScratchFolder folder;
  const auto slow = write_numbered(folder / "slow.mp4", 4, {10, 1});
  const auto done = normalize_rate(slow, folder / "out.mp4", {30, 1}).value();
  EXPECT_EQ(done.num_read, 4);
  EXPECT_EQ(done.num_written, 12);
  const Clip clip = read_clip(folder / "out.mp4", {}).value();
  EXPECT_THAT(numbers_of(clip.frames), ElementsAre(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3));
  EXPECT_DOUBLE_EQ(clip.average_rate.value(), 30);
}

TEST(NormalizeRate, DropsTheFramesOfAFastVideo) {
  const ScratchFolder folder;
  const auto fast = write_numbered(folder / "fast.mp4", 60, {60, 1});
  ASSERT_TRUE(normalize_rate(fast, folder / "out.mkv", {30, 1}));
  const Clip clip = read_clip(folder / "out.mkv", {}).value();
  EXPECT_EQ(clip.frames.size(), 30u);
}

TEST(NormalizeRate, NamesAnUnreadableInputAndLeavesNoOutput) {
  const ScratchFolder folder;
  const auto bad = write_bytes(folder / "bad.mp4", "no video at all, just words");
  const auto done = normalize_rate(bad, folder / "out.mp4", {30, 1});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().where(), testing::HasSubstr("bad.mp4"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.mp4"));
}

TEST(NormalizeRate, DoesNotFillAGapWithoutEnd) {
  const ScratchFolder folder;
  const auto far = write_at_times(folder / "far.mp4", {0, 40, 1'000'000});
  TranscodeOptions options;
  options.limits.max_frames = 1000;
  EXPECT_FALSE(normalize_rate(far, folder / "out.mp4", {30, 1}, options));
  EXPECT_FALSE(std::filesystem::exists(folder / "out.mp4"));
}

TEST(CutClip, KeepsTheTimesOfTheFrames) {
  const ScratchFolder folder;
  const auto path = write_at_times(folder / "vfr.mp4", {0, 40, 500, 510, 900, 2000});
  const auto done = cut_clip(path, folder / "cut.mp4", {0.5, 2.5}, false).value();
  EXPECT_EQ(done.num_written, 4);
  const Clip clip = read_clip(folder / "cut.mp4", {}).value();
  EXPECT_THAT(numbers_of(clip.frames), ElementsAre(2, 3, 4, 5));
  ASSERT_EQ(clip.seconds.size(), 4u);
  EXPECT_NEAR(clip.seconds[1] - clip.seconds[0], 0.01, 1e-6);
  EXPECT_NEAR(clip.seconds[3] - clip.seconds[0], 1.5, 1e-6);
}

TEST(CutClip, WritesOneFrameAfterAnotherInCompat) {
  const ScratchFolder folder;
  const auto path = write_numbered(folder / "a.mp4", 30, {10, 1});
  const auto done = cut_clip(path, folder / "cut.mp4", {1.0, 1.3}, true).value();
  EXPECT_EQ(done.num_written, 4);
  const Clip clip = read_clip(folder / "cut.mp4", {}).value();
  EXPECT_THAT(numbers_of(clip.frames), ElementsAre(10, 11, 12, 13));
  EXPECT_NEAR(clip.seconds[3] - clip.seconds[0], 0.3, 1e-6);
}

TEST(CutClip, MakesTheSameBytesEachTime) {
  const ScratchFolder folder;
  const auto path = write_numbered(folder / "a.mp4", 30, {10, 1});
  ASSERT_TRUE(cut_clip(path, folder / "one.mp4", {1.0, 2.0}, false));
  // Several times: what is left in the heap by earlier frames must not matter.
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(cut_clip(path, folder / "two.mp4", {1.0, 2.0}, false));
    ASSERT_TRUE(bytes_of(folder / "one.mp4") == bytes_of(folder / "two.mp4")) << i;
  }
}

TEST(VideoWriter, RefusesWhatDoesNotBelongIntoOneFile) {
  const ScratchFolder folder;
  VideoWriter writer(folder / "a.mp4");
  EXPECT_THROW(writer.finish(), Error) << "no frame";
  writer.write(numbered_image(1), 0);
  EXPECT_THROW(writer.write(numbered_image(1), 0), Error) << "time stands still";
  EXPECT_THROW(writer.write(numbered_image(1, 176, 32), 1), Error) << "another size";
  EXPECT_THROW(VideoWriter(folder / "a.unknown"), Error);
  VideoWriter nowhere(folder / "missing/a.mp4");
  EXPECT_THROW(nowhere.write(numbered_image(1), 0), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.mp4"));
}

}  // namespace
}  // namespace snellen::media
