// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/task_probe.h"

#include <unistd.h>

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/media/codecs/encode.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;

constexpr const char* kItems =
    R"({"name": "mine", "metric": "pairwise"}
{"id": "1", "group": "a.png", "category": "swap", "visuals": ["a.png"], "texts": ["x", "y"], "right": 1}
{"id": "2", "group": "a.png", "visuals": [{"image": "a.png", "crop": [0, 0, 2, 2]}], "texts": ["x", "y"], "right": 0}
{"id": "3", "visuals": [{"clip": "a.mp4"}], "texts": ["x", "y"], "right": 0}
{"id": "4", "visuals": ["../a.png"], "texts": ["x", "y"], "right": 0}
{"id": "5", "visuals": ["gone.png"], "texts": ["x", "y"], "right": 0}
)";

class TaskProbeTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    media::Image picture = media::Image::blank(4, 4);
    write_text_file(folder_ / "a.png", media::encode_png(picture));
    write_text_file(folder_ / "items.jsonl", kItems);
    const config::Options options(std::vector<config::Block>{
        config::Block(tasks::SharedSettings{}, tasks::shared_options())});
    for (const auto& entry : tasks::built_in_tasks()) {
      if (entry->facts().name != "file") continue;
      source_ = task_probe(
          entry->open(
              {.options = options, .model = {}, .argument = (folder_ / "items.jsonl").string()}),
          "items.jsonl");
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("snellen_task_probe_{}", ::getpid());
  std::unique_ptr<ProbeSource> source_;
};

TEST_F(TaskProbeTest, AsksItemsAndJudgesThemAsTheTaskDoes) {
  ASSERT_EQ(source_->size(), 5U);
  ProbeQuestion question = source_->question(0).value();
  EXPECT_EQ(question.probes, (std::vector<std::string>{"mine", "mine/swap"}));
  EXPECT_EQ(question.chance, 0.5);
  EXPECT_EQ(questions::pairs_of(question.questions),
            (std::vector<questions::Pair>{{0, 0}, {0, 1}}));
  EXPECT_EQ(*question.judge({.values = {0.25, 0.5}}), Verdict::kRight);
  EXPECT_EQ(*question.judge({.values = {0.5, 0.5}}), Verdict::kTied);
  EXPECT_EQ(*question.judge({.values = {0.5, 0.25}}), Verdict::kWrong);
}

TEST_F(TaskProbeTest, ShowsWhatTheItemShows) {
  ProbeQuestion whole = source_->question(0).value(), crop = source_->question(1).value();
  EXPECT_FALSE(whole.visuals.at(0).place()->crop);
  EXPECT_TRUE(crop.visuals.at(0).place()->crop);
  EXPECT_EQ(crop.probes.size(), 1U);
  EXPECT_TRUE(source_->question(2)->visuals.at(0).place()->clip);
}

}  // namespace
}  // namespace snellen::training
