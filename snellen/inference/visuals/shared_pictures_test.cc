// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/visuals/shared_pictures.h"

#include <thread>

#include <gtest/gtest.h>

#include "snellen/media/codecs/encode.h"

namespace snellen::inference {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> make_pictures(size_t count) {
  const fs::path folder = fs::path(testing::TempDir()) / "shared_pictures";
  std::vector<fs::path> files;
  for (size_t i = 0; i < count; ++i) {
    files.push_back(folder / fmt::format("{}.png", i));
    write_text_file(files.back(),
                    media::encode_png(media::Image::blank(static_cast<int>(i) + 1, 8)));
  }
  return files;
}

// Takes every file in an order of its own; gives the sum of the widths.
int take_all(SharedPictures& table, std::vector<fs::path> files, size_t first) {
  PictureClient client(table);
  client.expect(files);
  client.wait_for_others();
  std::rotate(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  int sum = 0;
  for (const fs::path& file : files) sum += (*client.take(FileBytes(file)))->width;
  return sum;
}

TEST(SharedPictures, DecodesEachFileOnceForAllModels) {
  const std::vector<fs::path> files = make_pictures(40);
  SharedPictures table(3, uint64_t{1} << 30);
  std::vector<int> sums(3);
  {
    std::vector<std::jthread> models;
    for (size_t i = 0; i < 3; ++i)
      models.emplace_back([&, i] { sums[i] = take_all(table, files, 0); });
  }
  EXPECT_EQ(table.num_decoded(), 40U);
  for (int sum : sums) EXPECT_EQ(sum, 820);
}

TEST(SharedPictures, GoesOnWhenEveryModelWouldWaitForRoom) {
  const std::vector<fs::path> files = make_pictures(40);
  SharedPictures table(2, /*max_bytes=*/100);
  std::vector<int> sums(2);
  {
    std::vector<std::jthread> models;
    for (size_t i = 0; i < 2; ++i)
      models.emplace_back([&, i] { sums[i] = take_all(table, files, 20 * i); });
  }
  EXPECT_EQ(sums[0], 820);
  EXPECT_EQ(sums[1], 820);
  EXPECT_LE(table.num_decoded(), 80U);
}

TEST(SharedPictures, DoesNotWaitForAModelThatIsGone) {
  const std::vector<fs::path> files = make_pictures(3);
  SharedPictures table(3, 1);
  { PictureClient never_opened(table); }
  auto gone = std::make_unique<PictureClient>(table);
  gone->expect(files);
  std::jthread last([&] { EXPECT_EQ(take_all(table, files, 0), 6); });
  gone.reset();
}

TEST(SharedPictures, HandsAFailureToEveryModel) {
  const fs::path file = fs::path(testing::TempDir()) / "shared_pictures_broken.png";
  write_text_file(file, "no picture");
  SharedPictures table(2, 1000);
  PictureClient one(table);
  PictureClient other(table);
  one.expect({file});
  other.expect({file});
  EXPECT_FALSE(one.take(FileBytes(file)));
  EXPECT_FALSE(other.take(FileBytes(file)));
  EXPECT_EQ(table.num_decoded(), 1U);
}

TEST(SharedPictures, CountsPicturesWithTransparencyAndLaysThemOnWhite) {
  // One transparent red pixel.
  const std::string png(
      "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x01"
      "\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\x0d\x49\x44\x41"
      "\x54\x78\x9c\x63\xf8\xcf\xc0\xc0\x00\x00\x04\x01\x01\x00\x47\x06\xca\xde\x00\x00"
      "\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82",
      70);
  const fs::path file = fs::path(testing::TempDir()) / "transparent.png";
  write_text_file(file, png);
  for (bool is_white : {false, true}) {
    SharedPictures shared(1, 1000, SharedPictures::decoder(is_white));
    PictureClient client(shared);
    Result<SharedPictures::Picture> picture = client.take(FileBytes(file));
    ASSERT_TRUE(picture) << picture.error().what();
    EXPECT_EQ((*picture)->pixels[0], 255);
    EXPECT_EQ((*picture)->pixels[1], is_white ? 255 : 0);
    EXPECT_EQ(client.num_transparent(), 1U);
  }
}

TEST(SharedPictures, WhoRunsOutOfMemoryLeavesTheOthersToTryForThemselves) {
  const std::vector<fs::path> files = make_pictures(1);
  std::atomic<int> num_tried = 0;
  SharedPictures shared(2, 1000, [&](std::string_view bytes, std::string_view where, bool&) {
    if (num_tried++ == 0) throw std::bad_alloc();
    return media::decode_image(bytes, where);
  });
  PictureClient one(shared);
  PictureClient other(shared);
  one.expect(files);
  other.expect(files);
  EXPECT_THROW((void)one.take(FileBytes(files[0])), std::bad_alloc);
  EXPECT_TRUE(other.take(FileBytes(files[0])));
}

}  // namespace
}  // namespace snellen::inference
