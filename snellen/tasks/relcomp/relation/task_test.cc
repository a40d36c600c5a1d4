// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/task.h"

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/tasks/relcomp/task.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_relcomp_relation();

namespace {

TEST(RelCompRelation, GivesBothComparisonsAndTheirMean) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "relcomp_relation";
  write_text_file(
      folder / "relcomp_val.jsonl",
      R"({"task": "rel", "image_id": 5, "prompt_pos": "p", "prompt_neg_predicate": "q", )"
      R"("prompt_neg_subject": "s"})");
  config::Options options(std::vector<config::Block>{
      config::Block(SharedSettings{}, shared_options()), relcomp::settings_block()});
  options.set("data", folder.string(), "test");
  options.set("root-image-dir", "vg", "test");
  std::unique_ptr<Task> task = make_relcomp_relation()->open({.options = options, .model = "m"});
  Result<Item> item = task->item(0);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->visuals[0].place()->path, "vg/5.jpg");
  Result<Outcome> outcome = task->judge(*item, {.values = {2, 3, 1}});
  EXPECT_EQ(outcome->values[0], 0.5);
  EXPECT_EQ(outcome->values[1], 0);  // predicate
  EXPECT_EQ(outcome->values[3], 1);  // subject
  EXPECT_FALSE(*outcome->is_correct);
  EXPECT_EQ(task->judge(*item, {.values = {2, 2, 1}})->tied_columns, 0b11U);
  EXPECT_FALSE(task->judge(*item, {.values = {2, 2}}));
}

}  // namespace
}  // namespace snellen::tasks
