// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/clip_file.h"

#include <unistd.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class VilmaClipFile : public testing::Test {
 protected:
  VilmaClipFile() {
    std::string pattern = (fs::temp_directory_path() / "snellen-clips-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    folders_ = {root_ / "quva", root_ / "ss", root_ / "star", root_ / "youtube", root_ / "cache"};
  }
  ~VilmaClipFile() override { fs::remove_all(root_); }

  fs::path touch(const std::string& name) {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "x";
    return path;
  }
  static VilmaItem item(std::string dataset) {
    VilmaItem made;
    made.id = "item-1";
    made.dataset = std::move(dataset);
    made.start_time = 2;
    made.end_time = 5;
    return made;
  }
  ClipFile place(const VilmaItem& of, bool is_compat = false) {
    return find_clip(of, folders_, is_compat).value();
  }

  fs::path root_;
  ClipFolders folders_;
};

TEST_F(VilmaClipFile, FollowsTheTableOfDataSets) {
  VilmaItem quva = item("QUVA");
  quva.video_file = "001_sawing.mp4";
  quva.is_normalized = true;
  quva.time_unit = VilmaTimeUnit::kFrames;
  VilmaItem ss = item("something-something-v2");
  ss.dataset_idx = "71563";
  VilmaItem star = item("star");
  star.video_file = "AB12C";
  VilmaItem coin = item("coin");
  coin.youtube_id = "abcdefghijk";
  const auto quva_file = touch("quva/normalized_videos/001_sawing.mp4");
  const auto ss_file = touch("ss/71563.webm");
  const auto star_file = touch("star/AB12C.mp4");
  const auto coin_file = touch("youtube/abcdefghijk.mp4");
  for (const bool is_compat : {false, true}) {
    EXPECT_EQ(place(quva, is_compat).path, quva_file);
    EXPECT_EQ(place(quva, is_compat).unit, VilmaTimeUnit::kFrames);
    EXPECT_EQ(place(ss, is_compat).path, ss_file);
    EXPECT_EQ(place(star, is_compat).path, star_file);
    EXPECT_EQ(place(coin, is_compat).path, coin_file);
    EXPECT_EQ(place(coin, is_compat).start, 2.0);
  }
}

TEST_F(VilmaClipFile, LooksForVidSituInThreeSteps) {
  VilmaItem vidsitu = item("VidSitu");
  vidsitu.youtube_id = "uBAd6Nfv3uE8";
  vidsitu.video_file = "uBAd6Nfv3uE8_2_12";
  const auto cut = touch("youtube/uBAd6Nfv3uE8_2_12.mp4");
  EXPECT_EQ(place(vidsitu).path, cut);
  EXPECT_TRUE(place(vidsitu).is_cut);
  EXPECT_FALSE(place(vidsitu).end) << "no trimming of what is cut";
  const auto plain = touch("youtube/uBAd6Nfv3uE.mp4");
  EXPECT_EQ(place(vidsitu).path, plain);
  EXPECT_EQ(place(vidsitu).end, 5.0);
  EXPECT_FALSE(find_clip(vidsitu, folders_, true)) << "compat knows the suffixed name only";
  const auto suffixed = touch("youtube/uBAd6Nfv3uE8.mp4");
  EXPECT_EQ(place(vidsitu).path, suffixed);
  EXPECT_EQ(place(vidsitu, true).path, suffixed);
}

TEST_F(VilmaClipFile, AcceptsOtherEndingsByDefault) {
  VilmaItem star = item("star");
  star.video_file = "AB12C";
  const auto file = touch("star/AB12C.mkv");
  EXPECT_EQ(place(star).path, file);
  EXPECT_FALSE(find_clip(star, folders_, true));
}

TEST_F(VilmaClipFile, TakesTheCachedClipAsItIs) {
  VilmaItem star = item("star");
  star.video_file = "AB12C";
  touch("star/AB12C.mp4");
  const auto cached = touch("cache/item-1.mp4");
  EXPECT_EQ(place(star).path, cached);
  EXPECT_TRUE(place(star).is_cut);
}

TEST_F(VilmaClipFile, SaysWhatIsMissing) {
  VilmaItem coin = item("coin");
  coin.youtube_id = "abcdefghijk";
  const auto absent = find_clip(coin, folders_, false);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(absent.error().message(), HasSubstr("abcdefghijk.mp4"));
  EXPECT_THAT(absent.error().where(), HasSubstr("item-1"));
  const auto no_folder = find_clip(coin, {}, false);
  ASSERT_FALSE(no_folder);
  EXPECT_THAT(no_folder.error().hint(), HasSubstr("--youtube-dir"));
}

TEST_F(VilmaClipFile, RefusesUnknownSetsAndRawQuva) {
  EXPECT_FALSE(find_clip(item("kinetics"), folders_, false));
  EXPECT_THROW((void)find_clip(item("kinetics"), folders_, true), Error);
  VilmaItem quva = item("QUVA");
  quva.video_file = "001.mp4";
  EXPECT_FALSE(find_clip(quva, folders_, false));
  EXPECT_THROW((void)find_clip(quva, folders_, true), Error);
}

TEST_F(VilmaClipFile, StaysInsideItsFolders) {
  touch("secret.mp4");
  touch("star/x.mp4");
  VilmaItem star = item("star");
  for (const char* name : {"../secret", "", "/etc/passwd"}) {
    star.video_file = name;
    const auto found = find_clip(star, folders_, false);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().code(), ErrorCode::kInvalidInput);
  }
  star.id = "../secret";
  star.video_file = "x";
  EXPECT_EQ(place(star).path, root_ / "star/x.mp4");
}

TEST(ClipFolder, ExpandsTheHomeFolder) {
  EXPECT_EQ(clip_folder("~/videos", "/home/ada"), "/home/ada/videos");
  EXPECT_EQ(clip_folder("~", "/home/ada"), "/home/ada");
  EXPECT_EQ(clip_folder("", "/home/ada"), "");
  EXPECT_TRUE(clip_folder("videos", "/home/ada").is_absolute());
}

}  // namespace
}  // namespace snellen::annotations
