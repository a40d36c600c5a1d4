// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/zeroshot.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "snellen/run/zeroshot_set.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

class ZeroshotFiles : public testing::Test {
 protected:
  ZeroshotFiles() : folder_(fs::path(testing::TempDir()) / "snellen_zeroshot_test") {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ZeroshotFiles() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  fs::path folder_;
};

TEST(MeanDirection, WeighsEveryPromptTheSame) {
  const models::Matrix rows{.num_rows = 2, .num_columns = 2, .values = {10, 0, 0, 0.5F}};
  const std::vector<double> direction = mean_direction(rows);
  EXPECT_NEAR(direction[0], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(direction[1], std::sqrt(0.5), 1e-12);
}

TEST(MeanDirection, IsRefusedWhereThereIsNone) {
  EXPECT_THROW(mean_direction({.num_rows = 2, .num_columns = 1, .values = {1, -1}}), Error);
  EXPECT_THROW(mean_direction({.num_rows = 1, .num_columns = 2, .values = {0, 0}}), Error);
}

TEST(ZeroshotPrompts, PutTheClassIntoEachTemplate) {
  EXPECT_EQ(zeroshot_prompts("hot dog", {"a photo of a {}.", "{}"}),
            (std::vector<std::string>{"a photo of a hot dog.", "hot dog"}));
}

TEST_F(ZeroshotFiles, ComeFromAFolderAClass) {
  write("set/traffic_light/b.jpg", "");
  write("set/traffic_light/a.jpg", "");
  write("set/cat/c.jpg", "");
  write("set/.hidden/c.jpg", "");
  const ZeroshotSet set = zeroshot_folders(folder_ / "set", {});
  EXPECT_EQ(set.classes, (std::vector<std::string>{"cat", "traffic light"}));
  ASSERT_EQ(set.pictures.size(), 3U);
  EXPECT_EQ(set.pictures[1].file.filename(), "a.jpg");
  EXPECT_EQ(set.pictures[1].right, (std::vector<uint32_t>{1}));
}

TEST_F(ZeroshotFiles, AreNamedByATable) {
  write("set/n01/a.jpg", "");
  write("set/n02/b.jpg", "");
  const ZeroshotSet set =
      zeroshot_folders(folder_ / "set", write("classes.csv", "folder,class\nn02,great grey owl\n"));
  EXPECT_EQ(set.classes, (std::vector<std::string>{"great grey owl"}));
  EXPECT_EQ(set.pictures.size(), 1U);
  EXPECT_EQ(set.bad_records.size(), 1U);
  EXPECT_THROW(zeroshot_folders(folder_ / "set", write("no.csv", "folder\nn01\n")), Error);
  EXPECT_THROW(zeroshot_folders(folder_ / "nowhere", {}), Error);
}

TEST_F(ZeroshotFiles, ComeFromInstances) {
  const fs::path file = write("instances.json", R"({
      "images": [{"id": 1, "file_name": "a.jpg", "width": 9, "height": 9},
                 {"id": 2, "file_name": "b.jpg", "width": 9, "height": 9}],
      "categories": [{"id": 3, "name": "cat"}, {"id": 7, "name": "dog"}],
      "annotations": [
        {"id": 1, "image_id": 1, "category_id": 7, "bbox": [0, 0, 4, 4], "iscrowd": 0,
         "segmentation": [[0, 0, 4, 0, 4, 4]]},
        {"id": 2, "image_id": 1, "category_id": 3, "bbox": [0, 0, 2, 2], "iscrowd": 0,
         "segmentation": [[0, 0, 2, 0, 2, 2]]}]})");
  const ZeroshotSet any = zeroshot_instances(file, "pictures", RightClass::kAny);
  ASSERT_EQ(any.pictures.size(), 1U);  // the other picture shows nothing
  EXPECT_EQ(any.pictures[0].right, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(any.pictures[0].file, fs::path("pictures/a.jpg"));
  EXPECT_EQ(zeroshot_instances(file, "pictures", RightClass::kLargest).pictures[0].right,
            (std::vector<uint32_t>{1}));
}

TEST_F(ZeroshotFiles, HaveTemplates) {
  EXPECT_EQ(read_templates(write("t.txt", "a {}.\r\n\nthe {}!\n")),
            (std::vector<std::string>{"a {}.", "the {}!"}));
  EXPECT_THROW(read_templates(write("t.txt", "no place\n")), Error);
  EXPECT_THROW(read_templates(write("t.txt", "{} {}\n")), Error);
  EXPECT_THROW(read_templates(write("t.txt", "\n")), Error);
}

}  // namespace
}  // namespace snellen::run
