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
  SharedPictures::Client client(table);
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
  { SharedPictures::Client never_opened(table); }
  auto gone = std::make_unique<SharedPictures::Client>(table);
  gone->expect(files);
  std::jthread last([&] { EXPECT_EQ(take_all(table, files, 0), 6); });
  gone.reset();
}

TEST(SharedPictures, HandsAFailureToEveryModel) {
  const fs::path file = fs::path(testing::TempDir()) / "shared_pictures_broken.png";
  write_text_file(file, "no picture");
  SharedPictures table(2, 1000);
  SharedPictures::Client one(table);
  SharedPictures::Client other(table);
  one.expect({file});
  other.expect({file});
  EXPECT_FALSE(one.take(FileBytes(file)));
  EXPECT_FALSE(other.take(FileBytes(file)));
  EXPECT_EQ(table.num_decoded(), 1U);
}

TEST(SharedPictures, WhoRunsOutOfMemoryLeavesTheOthersToTryForThemselves) {
  const std::vector<fs::path> files = make_pictures(1);
  std::atomic<int> num_tried = 0;
  SharedPictures shared(2, 1000, [&](std::string_view bytes, std::string_view where) {
    if (num_tried++ == 0) throw std::bad_alloc();
    return media::decode_image(bytes, where);
  });
  SharedPictures::Client one(shared);
  SharedPictures::Client other(shared);
  one.expect(files);
  other.expect(files);
  EXPECT_THROW((void)one.take(FileBytes(files[0])), std::bad_alloc);
  EXPECT_TRUE(other.take(FileBytes(files[0])));
}

}  // namespace
}  // namespace snellen::inference
