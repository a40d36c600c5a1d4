// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/video_reader.h"

#include <gtest/gtest.h>

#include "snellen/media/video/numbered_video.h"

namespace snellen::media {
namespace {

std::vector<int> all_numbers(VideoReader& reader) {
  std::vector<int> numbers;
  while (true) {
    const VideoFrame frame = reader.next().value();
    if (frame.is_empty()) return numbers;
    numbers.push_back(number_of(reader.to_rgb(frame).value()));
  }
}

std::vector<int> counted(int first, int end) {
  std::vector<int> numbers;
  for (int i = first; i < end; ++i) numbers.push_back(i);
  return numbers;
}

TEST(VideoReader, GivesFramesInTheOrderTheyAreShown) {
  const ScratchFolder folder;
  auto reader = VideoReader::open(write_numbered(folder / "a.mp4", 40)).value();
  EXPECT_EQ(reader.info().codec, "h264");
  EXPECT_EQ(reader.info().width, 160);
  EXPECT_EQ(reader.info().height, 32);
  EXPECT_DOUBLE_EQ(reader.info().average_rate.value(), 30);
  EXPECT_EQ(reader.info().frames_claim, 40);
  EXPECT_NEAR(reader.info().seconds.value(), 40 / 30.0, 1e-6);
  EXPECT_FALSE(reader.info().has_audio);
  EXPECT_EQ(all_numbers(reader), counted(0, 40));
  EXPECT_TRUE(reader.next().value().is_empty()) << "the end stays the end";
  EXPECT_TRUE(reader.rewind());
  EXPECT_EQ(all_numbers(reader), counted(0, 40));
}

TEST(VideoReader, ReadsBytesInMemoryLikeAFile) {
  const ScratchFolder folder;
  const std::string bytes = bytes_of(write_numbered(folder / "a.mp4", 7));
  auto reader = VideoReader::open_bytes(
                    {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, "clip")
                    .value();
  EXPECT_EQ(all_numbers(reader), counted(0, 7));
  EXPECT_EQ(reader.name(), "clip");
}

TEST(VideoReader, DoesNotCareForTheNameOfTheFile) {
  const ScratchFolder folder;
  std::filesystem::rename(write_numbered(folder / "a.mp4", 3), folder / "a.txt");
  auto reader = VideoReader::open(folder / "a.txt").value();
  EXPECT_EQ(all_numbers(reader), counted(0, 3));
}

TEST(VideoReader, KeepsOddSizes) {
  const ScratchFolder folder;
  auto reader = VideoReader::open(write_numbered(folder / "odd.mp4", 3, {30, 1}, 161, 33)).value();
  const Image image = reader.to_rgb(reader.next().value()).value();
  EXPECT_EQ(image.width, 161);
  EXPECT_EQ(image.height, 33);
}

TEST(VideoReader, SaysTheRotationAndDoesNotApplyIt) {
  const ScratchFolder folder;
  VideoWriter writer(folder / "turned.mp4", {.rotation_degrees = 90});
  writer.write(numbered_image(5), 0);
  writer.finish();
  auto reader = VideoReader::open(folder / "turned.mp4").value();
  EXPECT_EQ(reader.info().rotation_degrees, 90);
  EXPECT_EQ(reader.info().width, 160);
  EXPECT_EQ(all_numbers(reader), std::vector<int>{5});
}

TEST(VideoReader, SeeksToFramesEqualToThoseReadFromTheStart) {
  const ScratchFolder folder;
  const struct {
    const char* name;
    const char* encoder;
  } kinds[] = {{"b.mp4", "-c:v libx264 -preset veryfast -bf 3 -g 13"},
               {"open.mp4", "-c:v libx264 -preset veryfast -bf 3 -g 13 -x264-params open-gop=1"},
               {"h.mkv", "-c:v libx265 -preset ultrafast -g 13 -x265-params log-level=none"},
               {"f.mp4", "-c:v libx264 -preset veryfast -g 13 -movflags frag_keyframe+empty_moov"},
               {"v.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 13"},
               {"m.mp4", "-c:v mpeg4 -bf 2 -g 13"},
               {"m.avi", "-c:v mpeg4 -bf 2 -g 13"},
               {"t.ts", "-c:v libx264 -preset veryfast -bf 2 -g 13"}};
  for (const auto& kind : kinds) {
    const auto path = folder / kind.name;
    if (!run_ffmpeg("-f lavfi -i testsrc2=size=96x64:rate=25 -t 3 " + std::string(kind.encoder) +
                    " -pix_fmt yuv420p " + path.string())) {
      GTEST_SKIP() << "no ffmpeg program, or not with the encoder of " << kind.name;
    }
    auto reader = VideoReader::open(path).value();
    std::vector<std::pair<int64_t, std::vector<uint8_t>>> linear;
    while (true) {
      const VideoFrame frame = reader.next().value();
      if (frame.is_empty()) break;
      linear.emplace_back(frame.pts(), frame.planes());
    }
    ASSERT_GE(linear.size(), 74u) << kind.name;
    for (size_t want = 0; want < linear.size(); want += 7) {
      ASSERT_TRUE(reader.seek_before(linear[want].first)) << kind.name;
      VideoFrame frame = reader.next().value();
      EXPECT_LE(frame.pts(), linear[want].first) << kind.name;
      while (frame.pts() < linear[want].first) frame = reader.next().value();
      for (size_t i = want; i < std::min(want + 4, linear.size()); ++i) {
        EXPECT_EQ(frame.pts(), linear[i].first) << kind.name << " frame " << i;
        EXPECT_EQ(frame.planes(), linear[i].second) << kind.name << " frame " << i;
        if (i + 1 < linear.size()) frame = reader.next().value();
      }
    }
  }
}

}  // namespace
}  // namespace snellen::media
