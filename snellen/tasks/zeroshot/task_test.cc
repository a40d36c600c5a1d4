// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/task.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/zeroshot/set.h"

namespace snellen::tasks {
std::unique_ptr<TaskEntry> make_zeroshot();
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

class ZeroshotTask : public ZeroshotFiles {
 protected:
  std::unique_ptr<Task> open(const std::string& ties = "") {
    for (const char* name : {"cat", "dog", "bus", "owl", "cup", "tree", "zebra"})
      write(std::string("set/") + name + "/a.png", "");
    const std::unique_ptr<TaskEntry> entry = make_zeroshot();
    std::vector<config::Block> blocks = entry->facts().settings;
    blocks.emplace_back(SharedSettings{}, shared_options());
    config::Options options(std::move(blocks));
    options.set("root-image-dir", (folder_ / "set").string(), "test");
    if (!ties.empty()) options.set("ties", ties, "test");
    return entry->open({.options = options, .model = {}});
  }
  // Of the picture of the cup, the third of bus, cat, cup, dog, owl, tree, zebra.
  static Outcome judged(const Task& task, std::vector<double> scores) {
    return *task.judge(*task.item(2), {.values = std::move(scores)});
  }
};

TEST_F(ZeroshotTask, ItemsShareOneListOfTexts) {
  const std::unique_ptr<Task> task = open();
  const Result<Item> first = task->item(0), last = task->item(6);
  EXPECT_EQ(first->texts.size(), 7U);
  EXPECT_EQ(first->texts.shared(), last->texts.shared());
  EXPECT_TRUE(first->texts[0].is_ensemble);
  EXPECT_EQ(first->texts[0].prompt, "a photo of a bus.");
  EXPECT_EQ(first->id, "bus/a.png");
  EXPECT_EQ(first->questions.at(0).texts.size(), 7U);
}

TEST_F(ZeroshotTask, StoresTheFiveBestAndTheRightClasses) {
  const std::unique_ptr<Task> task = open();
  const Outcome outcome = judged(*task, {0.7, 0.6, 0.1, 0.5, 0.4, 0.3, 0.2});
  EXPECT_EQ(outcome.values, (std::vector<double>{0, 0}));
  EXPECT_EQ(*outcome.stored_scores, (std::vector<uint32_t>{0, 1, 3, 4, 5, 2}));
  EXPECT_EQ(outcome.named.get<int64_t>("rank"), 7);
  EXPECT_EQ(outcome.named.get<std::vector<std::string>>("right"), std::vector<std::string>{"cup"});
  EXPECT_NEAR(outcome.margin, -0.6, 1e-12);
  const Outcome best = judged(*task, {0.7, 0.6, 0.9, 0.5, 0.4, 0.3, 0.2});
  EXPECT_EQ(best.values, (std::vector<double>{1, 1}));
  EXPECT_EQ(best.stored_scores->size(), 5U);
}

TEST_F(ZeroshotTask, ATieWithAWrongClassCountsAsWrongUnlessTiesAreSaidToBeRight) {
  const std::vector<double> scores = {0.7, 0.1, 0.7, 0.1, 0.1, 0.1, 0.1};
  const Outcome wrong = judged(*open(), scores);
  EXPECT_EQ(wrong.values, (std::vector<double>{0, 1}));
  EXPECT_EQ(wrong.tied_columns, 1U) << "the tie decides the first place alone";
  EXPECT_EQ(judged(*open("half"), scores).values, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(judged(*open("right"), scores).values, (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace snellen::tasks
