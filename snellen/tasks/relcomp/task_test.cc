// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/task.h"

#include <gmock/gmock.h>

#include "snellen/base/files.h"
#include "snellen/tasks/relcomp/task.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_relcomp();
std::unique_ptr<TaskEntry> make_relcomp_relation();

namespace {

using testing::ElementsAre;

constexpr const char* kSamples =
    R"({"task": "comp", "img1_id": 7, "img2_id": 9, "prompt1": "a", "prompt2": "b", "source": "coco-object"}
{"task": "rel", "image_id": 5, "prompt_pos": "p", "prompt_neg_predicate": "q", "prompt_neg_subject": "s", "source": "visual-genome"}
)";

class RelCompTask : public testing::Test {
 protected:
  std::unique_ptr<Task> open(const TaskEntry& entry, const std::string& text = kSamples) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "relcomp_task";
    write_text_file(folder / "relcomp_val.jsonl", text);
    options_.set("data", folder.string(), "test");
    options_.set("root-image-dir", "photos", "test");
    options_.set("genome-images", "vg", "test");
    return entry.open({.options = options_, .model = "m"});
  }

  config::Options options_ = config::Options(std::vector<config::Block>{
      config::Block(SharedSettings{}, shared_options()), relcomp::settings_block()});
};

TEST_F(RelCompTask, AsksEachOfTwoPhotosWithBothPrompts) {
  std::unique_ptr<Task> task = open(*make_relcomp());
  EXPECT_EQ(task->parts()[0].num_items, 1U);
  Result<Item> item = task->item(0);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->visuals[1].place()->path, "photos/COCO_train2014_000000000009.jpg");
  EXPECT_THAT(item->clusters, ElementsAre("7", "9"));
  EXPECT_EQ(item->category, "coco-object");
  // Each photo prefers prompt 1, each prompt its own photo.
  Result<Outcome> outcome = task->judge(*item, {.values = {5, 4, 3, 2}});
  EXPECT_EQ(outcome->values[0], 0);  // text
  EXPECT_EQ(outcome->values[1], 0);  // image: prompt 2 prefers photo 1
  outcome = task->judge(*item, {.values = {5, 1, 3, 2}});
  EXPECT_EQ(outcome->values[0], 0);
  EXPECT_EQ(outcome->values[1], 1);  // the score of Table 3
}

TEST_F(RelCompTask, ReadsTheScoreLinesItWrites) {
  for (auto make : {make_relcomp, make_relcomp_relation}) {
    std::unique_ptr<Task> task = open(*make());
    const std::vector<double> scores =
        make == make_relcomp ? std::vector<double>{1, 2, 3, 4} : std::vector<double>{1, 2, 3};
    Result<ScoreLine> line = task->read_score_line(*task->score_line(*task->item(0), scores));
    ASSERT_TRUE(line);
    EXPECT_EQ(line->item, "0");
    EXPECT_EQ(line->scores.value(), scores);
  }
}

TEST_F(RelCompTask, NamesALineThatIsNoSample) {
  EXPECT_THROW(open(*make_relcomp(), R"({"task": "other"})"), Error);
  EXPECT_THROW(open(*make_relcomp(), ""), Error);
  std::unique_ptr<Task> task = open(*make_relcomp(), R"({"task": "comp", "img1_id": 7})");
  EXPECT_FALSE(task->item(0));
}

}  // namespace
}  // namespace snellen::tasks
