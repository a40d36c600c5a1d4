// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/shown_visuals.h"

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/media/video/numbered_video.h"

namespace snellen::models::exec {
namespace {

namespace fs = std::filesystem;

class ShownVisualsTest : public testing::Test {
 protected:
  ShownVisualsTest() {
    write_text_file(folder_ / "p.png", media::encode_png(media::numbered_image(5)));
  }
  ShownVisuals::Options options(Wants wants) {
    return {.wants = wants, .working_folder = folder_ / "work", .shared_memory = folder_ / "shm"};
  }
  // Nothing is made without FFmpeg.
  bool make_video() {
    try {
      media::write_numbered(folder_ / "v.mp4", 30);
      return true;
    } catch (const Error&) {
      return false;
    }
  }
  size_t num_files(const fs::path& below) {
    size_t count = 0;
    std::error_code ignored;
    for (fs::recursive_directory_iterator at(below, ignored), end; at != end; ++at)
      count += at->is_regular_file() ? 1 : 0;
    return count;
  }

  media::ScratchFolder folder_;
};

TEST_F(ShownVisualsTest, ShowsPathsAsTheyAre) {
  ShownVisuals visuals(options(Wants::kPath));
  ShownVisuals::Held held = *visuals.show({.path = folder_ / "p.png"});
  EXPECT_EQ(held->visual().image, (folder_ / "p.png").string());
  EXPECT_TRUE(held->visual().pixels.path.empty());
  EXPECT_FALSE(fs::exists(folder_ / "work"));
}

TEST_F(ShownVisualsTest, ShowsACroppedPictureAsAFileOfItsOwn) {
  ShownVisuals visuals(options(Wants::kPath));
  media::VisualPlace place{.path = folder_ / "p.png"};
  place.crop = media::CropBox{.x = 10, .y = 2, .width = 20, .height = 8};
  ShownVisuals::Held held = *visuals.show(place);
  EXPECT_NE(held->visual().image, (folder_ / "p.png").string());
  EXPECT_EQ(media::read_image(held->visual().image).value(),
            media::cropped(media::numbered_image(5), *place.crop));
  EXPECT_TRUE(held->visual().frames_dir.empty());
}

TEST_F(ShownVisualsTest, SaysWhatIsMissing) {
  ShownVisuals visuals(options(Wants::kPath));
  EXPECT_EQ(visuals.show({.path = folder_ / "none.png"}).error().code(), ErrorCode::kNotFound);
}

TEST_F(ShownVisualsTest, WritesPixelsIntoSharedMemoryAndTakesThemAway) {
  {
    ShownVisuals visuals(options(Wants::kPixels));
    ShownVisuals::Held held = *visuals.show({.path = folder_ / "p.png"});
    const RawPixels& pixels = held->visual().pixels;
    EXPECT_EQ(pixels.width, 160);
    EXPECT_EQ(pixels.height, 32);
    EXPECT_EQ(pixels.frames, 1);
    EXPECT_TRUE(pixels.path.starts_with((folder_ / "shm").string())) << pixels.path;
    media::Image want = media::numbered_image(5);
    EXPECT_EQ(read_text_file(pixels.path), std::string(want.pixels.begin(), want.pixels.end()));
    // The same again is not made again.
    EXPECT_EQ((*visuals.show({.path = folder_ / "p.png"}))->visual().pixels.path, pixels.path);
  }
  EXPECT_EQ(num_files(folder_ / "shm"), 0U);
  EXPECT_TRUE(fs::is_empty(folder_ / "shm"));
}

TEST_F(ShownVisualsTest, PixelsGoToTheWorkingFolderWhereThereIsNoSharedMemory) {
  ShownVisuals::Options wanted = options(Wants::kPixels);
  wanted.shared_memory = folder_ / "p.png" / "no folder";
  ShownVisuals visuals(wanted);
  ShownVisuals::Held held = *visuals.show({.path = folder_ / "p.png"});
  EXPECT_TRUE(held->visual().pixels.path.starts_with((folder_ / "work").string()));
}

TEST_F(ShownVisualsTest, CutsClipsIntoPngFiles) {
  if (!make_video()) GTEST_SKIP() << "this build has no FFmpeg";
  {
    ShownVisuals::Options wanted = options(Wants::kPath);
    wanted.frames = 3;
    ShownVisuals visuals(wanted);
    ShownVisuals::Held held =
        *visuals.show({.path = folder_ / "v.mp4", .clip = media::ClipWindow{}});
    fs::path frames = held->visual().frames_dir;
    std::vector<media::Image> images;
    for (int i = 0; i < 3; ++i)
      images.push_back(*media::read_image(frames / fmt::format("{:04}.png", i)));
    EXPECT_EQ(media::numbers_of(images), (std::vector<int>{5, 15, 25}));
    EXPECT_EQ(held->visual().fps, 30);
    EXPECT_EQ(held->visual().video, (folder_ / "v.mp4").string());
  }
  EXPECT_TRUE(fs::is_empty(folder_ / "work"));
}

TEST_F(ShownVisualsTest, KeepsOnlyTheLastFew) {
  ShownVisuals visuals(options(Wants::kPixels));
  for (int i = 0; i < 40; ++i) {
    fs::path path = folder_ / fmt::format("{}.png", i);
    write_text_file(path, media::encode_png(media::numbered_image(i)));
    ASSERT_TRUE(visuals.show({.path = path}));
  }
  EXPECT_EQ(num_files(folder_ / "shm"), 16U);
}

TEST(TemporaryFolder, RemovesWhatAKilledProcessLeftAndNothingInUse) {
  media::ScratchFolder parent;
  fs::path left;
  { left = TemporaryFolder(parent / "x").path(); }
  fs::create_directories(left / "below");  // as a killed process leaves it
  TemporaryFolder one(parent / "x");
  TemporaryFolder two(parent / "x");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(one.path()));
  EXPECT_TRUE(fs::exists(two.path()));
}

TEST(TemporaryFolder, LeavesWhatAnotherMachineMayHold) {
  media::ScratchFolder parent;
  const fs::path other = parent / "x" / ".snellen-exec-another-machine";
  fs::create_directories(other);
  TemporaryFolder one(parent / "x");
  EXPECT_TRUE(fs::exists(other));
}

}  // namespace
}  // namespace snellen::models::exec
