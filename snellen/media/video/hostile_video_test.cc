// SPDX-License-Identifier: Apache-2.0
// Files that are broken or made to do harm: each is an error of the item with the file named.
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/media/video/clip.h"
#include "snellen/media/video/numbered_video.h"

namespace snellen::media {
namespace {

using testing::HasSubstr;

// Reads everything; the error, or fails.
std::optional<Error> error_of(const std::filesystem::path& path, const VideoLimits& limits = {}) {
  ClipRules rules;
  rules.limits = limits;
  const auto choose_one = [](std::span<const double>) { return FrameIndices{0}; };
  const auto clip = read_clip(path, {}, choose_one, rules);
  if (clip) return std::nullopt;
  return clip.error();
}

void expect_item_error(const std::filesystem::path& path,
                       const std::string& words,
                       const VideoLimits& limits = {}) {
  const auto error = error_of(path, limits);
  ASSERT_TRUE(error) << path << " was read";
  EXPECT_TRUE(error->code() == ErrorCode::kInvalidInput || error->code() == ErrorCode::kNotFound);
  EXPECT_THAT(error->where(), HasSubstr(path.filename().string()));
  EXPECT_THAT(error->message(), HasSubstr(words));
  EXPECT_FALSE(error->hint().empty());
}

int64_t peak_kib() {
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(HostileVideo, HasNoBytes) {
  const ScratchFolder folder;
  expect_item_error(write_bytes(folder / "empty.mp4", ""), "has no bytes");
}

TEST(HostileVideo, IsMissingOrAFolder) {
  const ScratchFolder folder;
  expect_item_error(folder / "nowhere.mp4", "cannot be opened");
  std::filesystem::create_directory(folder / "folder.mp4");
  expect_item_error(folder / "folder.mp4", "not a plain file");
}

TEST(HostileVideo, NeverEnds) {
  const ScratchFolder folder;
  const auto pipe = folder / "endless.mp4";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_item_error(pipe, "not a plain file");
  expect_item_error("/dev/zero", "not a plain file");
}

TEST(HostileVideo, TakesTooLong) {
  const ScratchFolder folder;
  const auto path = write_numbered(folder / "long.mp4", 900);
  VideoLimits limits;
  limits.timeout = std::chrono::milliseconds(1);
  const auto start = std::chrono::steady_clock::now();
  expect_item_error(path, "longer than 1 ms", limits);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(HostileVideo, GoesBeyondALimit) {
  const ScratchFolder folder;
  const auto path = write_numbered(folder / "a.mp4", 30);
  auto limited = [](const std::function<void(VideoLimits&)>& change) {
    VideoLimits limits;
    change(limits);
    return limits;
  };
  expect_item_error(path, "bytes, the limit", limited([](auto& l) { l.max_bytes = 100; }));
  expect_item_error(path, "more than 10 frames", limited([](auto& l) { l.max_frames = 10; }));
  expect_item_error(path, "160x32 pixels", limited([](auto& l) { l.max_pixels = 5000; }));
  expect_item_error(path, "lasts 1 s", limited([](auto& l) { l.max_seconds = 0.5; }));
}

TEST(HostileVideo, IsSomethingElse) {
  const ScratchFolder folder;
  expect_item_error(write_bytes(folder / "words.mp4", std::string(5000, 'x')), "not a video");
  expect_item_error(write_bytes(folder / "picture.mp4", "\xFF\xD8\xFF\xE0" + std::string(500, 'j')),
                    "not a video");
  // Playlists would have other files opened.
  const auto real = write_numbered(folder / "real.mp4", 3);
  expect_item_error(write_bytes(folder / "list.mp4", "ffconcat version 1.0\nfile real.mp4\n"),
                    "not a video");
  expect_item_error(write_bytes(folder / "list.m3u8",
                                "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nreal.mp4\n"
                                "#EXT-X-ENDLIST\n"),
                    "not a video");
}

TEST(HostileVideo, HasSoundOnly) {
  const ScratchFolder folder;
  const auto path = folder / "sound.mp4";
  if (!run_ffmpeg("-f lavfi -i sine=440 -t 0.3 -c:a aac " + path.string()))
    GTEST_SKIP() << "no ffmpeg program";
  expect_item_error(path, "no video stream");
}

TEST(HostileVideo, HasOnlyACoverPicture) {
  const ScratchFolder folder;
  const auto path = folder / "cover.mp4";
  if (!run_ffmpeg("-f lavfi -i sine=440 -f lavfi -i color=red:size=32x32 -map 0 -map 1 -t 0.3 "
                  "-frames:v 1 -c:a aac -c:v mjpeg -pix_fmt yuvj420p -disposition:v:0 "
                  "attached_pic " +
                  path.string()))
    GTEST_SKIP() << "no ffmpeg program";
  expect_item_error(path, "only a cover picture");
}

// Every 1 % of the file, containers with the index behind and in front.
TEST(HostileVideo, IsCutShort) {
  const ScratchFolder folder;
  std::vector<std::filesystem::path> whole = {write_numbered(folder / "behind.mp4", 60),
                                              write_numbered(folder / "a.mkv", 60),
                                              write_numbered(folder / "a.avi", 60)};
  if (run_ffmpeg("-i " + whole[0].string() + " -c copy -movflags faststart " +
                 (folder / "front.mp4").string()))
    whole.push_back(folder / "front.mp4");
  for (const auto& path : whole) {
    const std::string bytes = bytes_of(path);
    ASSERT_FALSE(error_of(path)) << path;
    for (size_t percent = 0; percent < 100; ++percent) {
      auto cut = folder / "cut";
      cut += path.extension();
      write_bytes(cut, bytes.substr(0, bytes.size() * percent / 100));
      const auto error = error_of(cut);
      ASSERT_TRUE(error) << path << " cut to " << percent << " % was read";
      EXPECT_THAT(error->where(), HasSubstr("cut."));
    }
  }
}

TEST(HostileVideo, ClaimsToBeHuge) {
  const ScratchFolder folder;
  const std::string bytes = bytes_of(write_numbered(folder / "a.avi", 5));
  // The main header and the stream's header say width and height in 32 bits.
  std::string huge = bytes;
  const std::string small_size = {'\xA0', 0, 0, 0, 32, 0, 0, 0};
  const std::string huge_size = {'\xFF', '\xFF', 0, 0, '\xFF', '\xFF', 0, 0};
  size_t num_changed = 0;
  for (size_t at = 0; (at = huge.find(small_size, at)) != std::string::npos; ++num_changed)
    huge.replace(at, 8, huge_size);
  ASSERT_GE(num_changed, 2u);
  const int64_t before = peak_kib();
  const auto error = error_of(write_bytes(folder / "huge.avi", huge));
  // H.264 says its own size; either that one is used or the file is refused. Memory stays small.
  if (error) {
    EXPECT_THAT(error->where(), HasSubstr("huge.avi"));
  }
  EXPECT_LT(peak_kib() - before, 512 * 1024);
  const auto ffv1 = folder / "f.avi";
  if (!run_ffmpeg("-f lavfi -i testsrc2=size=160x32 -frames:v 3 -c:v mjpeg -pix_fmt yuvj420p " +
                  ffv1.string()))
    GTEST_SKIP() << "no ffmpeg program";
  std::string huge_jpeg = bytes_of(ffv1);
  // SOF0: length 17, precision 8, height, width.
  const std::string sof = std::string("\xFF\xC0\x00\x11\x08", 5);
  size_t at = 0;
  while ((at = huge_jpeg.find(sof, at)) != std::string::npos) {
    huge_jpeg.replace(at + 5, 4, "\xFF\xFF\xFF\xFF");
    at += 9;
  }
  const auto refused = error_of(write_bytes(folder / "huge_jpeg.avi", huge_jpeg));
  EXPECT_TRUE(refused);
  EXPECT_LT(peak_kib() - before, 512 * 1024);
}

TEST(HostileVideo, IsFullOfNoise) {
  const ScratchFolder folder;
  const std::string bytes = bytes_of(write_numbered(folder / "a.mp4", 30));
  // Every 97th byte turned over: an error or frames, never a crash, never without end.
  for (size_t first = 0; first < 97; first += 7) {
    std::string noisy = bytes;
    for (size_t i = first; i < noisy.size(); i += 97) noisy[i] = static_cast<char>(~noisy[i]);
    const auto error = error_of(write_bytes(folder / "noisy.mp4", noisy));
    if (error) {
      EXPECT_THAT(error->where(), HasSubstr("noisy.mp4"));
    }
  }
}

}  // namespace
}  // namespace snellen::media
