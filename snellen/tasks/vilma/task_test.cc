// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/task.h"
#include "snellen/tasks/vilma/flags.h"

namespace snellen::tasks {
std::unique_ptr<TaskEntry> make_vilma();
}

namespace snellen::tasks::vilma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class VilmaTaskTest : public testing::Test, public OutcomeReader {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("vilma_task_") + test->name());
    fs::remove_all(folder_);
  }

  std::string write(const std::string& name, std::string_view json) {
    write_text_file(folder_ / name, json);
    return (folder_ / name).string();
  }

  static std::string item(int clip, int num_foils) {
    return fmt::format(
        R"({{"dataset": "d", "dataset_idx": "{}", "caption": "c", "foils": ["f"{}], "mturk": {{"caption": 3}},
            "proficiency": {{"caption": "p", "foils": ["q"], "human": {{"caption": 1}}}}}})",
        clip,
        num_foils == 2 ? R"(, "g")" : "");
  }

  // Items 0 and 1 show one clip; item 2 has two foils.
  std::string relations() {
    return write(
        "relations.json",
        fmt::format(R"({{"0": {}, "1": {}, "2": {}}})", item(7, 1), item(7, 1), item(8, 2)));
  }
  std::string prof() {
    return write("p.json",
                 R"({"0": {"scores": [2, 1]}, "1": {"scores": [1, 1]}, "2": {"scores": [2, 1]}})");
  }
  std::string main() {
    return write(
        "t.json",
        R"({"0": {"scores": [0.9, 0.2]}, "1": {"scores": [0.6, 0.1]}, "2": {"scores": [0.4, 0.3, 0.7]}})");
  }

  void open(const std::map<std::string, std::string>& settings, bool is_compat = false) {
    config::Options options(std::vector<config::Block>{
        settings_block(), config::Block(SharedSettings{}, shared_options())});
    options.set("adapter", "given", "test");
    for (const auto& [name, value] : settings) options.set(name, value, "test");
    task_ = entry_->open({options, "file", is_compat});
  }

  std::string error_of(const std::map<std::string, std::string>& settings, bool is_compat = false) {
    try {
      open(settings, is_compat);
    } catch (const Error& error) {
      return fmt::format("{}: {}", name_of(error.code()), error.what());
    }
    return "no error";
  }

  // Stored outcomes as a run would have them.
  void for_each_scored(std::string_view part,
                       const std::function<void(const StoredItem&)>& visit) override {
    uint64_t position = 0;
    for (const Part& one : task_->parts()) {
      for (uint64_t i = 0; i < one.num_items; ++i, ++position) {
        const Item item = task_->item(position).value();
        const Result<Outcome> outcome = task_->judge(item, {});
        if (one.name != part || !outcome) continue;
        visit({position, item.id, item.clusters, item.category, *outcome});
      }
    }
  }

  metrics::Measurement pooled(const std::string& id) {
    for (const metrics::Measurement& one : task_->pooled(*this, {})) {
      if (one.id == id) return one;
    }
    return {.reason = "absent"};
  }

  std::unique_ptr<TaskEntry> entry_ = make_vilma();
  std::unique_ptr<Task> task_;
  fs::path folder_;
};

TEST_F(VilmaTaskTest, GivesOneItemPerEvaluatedItemWithItsClip) {
  open({{"annotation-file", relations()}, {"input-file", prof() + "," + main()}});
  ASSERT_EQ(task_->parts().size(), 1u);
  EXPECT_EQ(task_->parts()[0].name, "relations");
  EXPECT_EQ(task_->parts()[0].num_items, 3u);
  const Item first = task_->item(0).value();
  EXPECT_EQ(first.id, "relations/0");
  EXPECT_TRUE(first.questions.empty());
  EXPECT_EQ(first.clusters, task_->item(1)->clusters);
  EXPECT_NE(first.clusters, task_->item(2)->clusters);
}

TEST_F(VilmaTaskTest, JudgesProficiencyTestAndBoth) {
  open({{"annotation-file", relations()}, {"input-file", prof() + "," + main()}});
  EXPECT_THAT(task_->judge(task_->item(0).value(), {})->values, ElementsAre(1, 1, 1));
  const Outcome tied = task_->judge(task_->item(1).value(), {}).value();
  EXPECT_THAT(tied.values, ElementsAre(0, 1, 0));
  EXPECT_EQ(tied.tied_columns, 0b101u);
  EXPECT_EQ(tied.margin, 0.0);
  EXPECT_EQ(tied.is_correct, false);
  EXPECT_THAT(task_->judge(task_->item(2).value(), {})->values, ElementsAre(1, 0, 0));
}

TEST_F(VilmaTaskTest, OneFileHasOneColumn) {
  open({{"annotation-file", relations()}, {"input-file", main()}, {"mode", "similarity"}});
  ASSERT_EQ(task_->columns().size(), 1u);
  EXPECT_EQ(task_->columns()[0].name, "T");
  EXPECT_FALSE(task_->columns()[0].chance);  // 1/2, 1/2, 1/3
  EXPECT_DOUBLE_EQ(pooled("vilma/relations/T_chance").value, (0.5 + 0.5 + 1.0 / 3.0) / 3.0);
  open({{"annotation-file", relations()}, {"input-file", prof()}, {"mode", "similarity"}});
  EXPECT_EQ(task_->columns()[0].name, "P");
  EXPECT_EQ(task_->columns()[0].chance, 0.5);
  EXPECT_THAT(task_->notes()[0], HasSubstr("this is P, not T"));
}

TEST_F(VilmaTaskTest, PoolsProbabilitiesFromStoredOutcomes) {
  open({{"annotation-file", relations()}, {"input-file", main()}, {"mode", "probability"}});
  // Above one half: captions 0.9 and 0.6, foil 0.7. Below: caption 0.4, foils 0.2, 0.1, 0.3.
  EXPECT_DOUBLE_EQ(pooled("vilma/relations/p_c").value, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(pooled("vilma/relations/p_f").value, 3.0 / 4.0);
  EXPECT_DOUBLE_EQ(pooled("vilma/relations/min").value, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(pooled("vilma/relations/acc").value, 5.0 / 7.0);
  EXPECT_DOUBLE_EQ(pooled("vilma/relations/auroc").value, 10.0 / 12.0);
  EXPECT_THAT(pooled("vilma/relations/auroc").reason, HasSubstr("too few clusters"));
}

TEST_F(VilmaTaskTest, RefusesFiveMetricsForAScoreThatIsNoProbability) {
  open({{"annotation-file", relations()}, {"input-file", prof()}, {"mode", "probability"}});
  EXPECT_THAT(pooled("vilma/relations/p_c").reason, HasSubstr("score_out_of_range"));
  EXPECT_THAT(task_->judge(task_->item(0).value(), {})->values, ElementsAre(1));
}

TEST_F(VilmaTaskTest, PoolsTasksOverItemsAndAveragesTasks) {
  // counting-easy 2 of 3, counting-hard 0 of 1: counting 2/4; relations 2/3 of the same scores.
  const std::string easy =
      write("counting-easy.json",
            fmt::format(R"({{"a": {}, "b": {}, "c": {}}})", item(1, 1), item(2, 1), item(3, 1)));
  const std::string hard = write("counting-hard.json", fmt::format(R"({{"d": {}}})", item(4, 1)));
  const std::string right =
      write("right.json",
            R"({"a": {"scores": [2, 1]}, "b": {"scores": [2, 1]}, "c": {"scores": [1, 2]}})");
  const std::string wrong = write("wrong.json", R"({"d": {"scores": [1, 2]}})");
  relations();
  prof();
  main();
  const std::string suite = write("suite.json", R"([
      {"annotation": "counting-easy.json", "mode": "similarity", "prof": "right.json", "main": "right.json"},
      {"annotation": "counting-hard.json", "mode": "similarity", "prof": "wrong.json", "main": "wrong.json"},
      {"annotation": "relations.json", "mode": "similarity", "prof": "p.json", "main": "t.json"}])");
  open({{"suite", suite}, {"data", folder_.string()}});
  EXPECT_EQ(task_->parts().size(), 3u);
  EXPECT_DOUBLE_EQ(pooled("vilma/counting/PT").value, 0.5);
  EXPECT_EQ(pooled("vilma/counting/PT").n, 4u);
  EXPECT_EQ(pooled("vilma/counting/PT").interval, "wilson");
  EXPECT_DOUBLE_EQ(*pooled("vilma/counting/PT").chance, 0.25);
  EXPECT_EQ(pooled("vilma/relations/PT").reason, "absent");  // the part itself
  EXPECT_DOUBLE_EQ(pooled("vilma/average/PT").value, (0.5 + 1.0 / 3.0) / 2.0);
  EXPECT_EQ(pooled("vilma/average/PT").reason, "a task has no interval");  // of two videos
  EXPECT_EQ(pooled("vilma/average/PT").n, 7u);
}

TEST_F(VilmaTaskTest, MissingItemsAreRefusedSkippedOrWrong) {
  const std::string partial = write("few.json", R"({"0": {"scores": [2, 1]}})");
  std::map<std::string, std::string> settings = {
      {"annotation-file", relations()}, {"input-file", partial}, {"mode", "similarity"}};
  EXPECT_THAT(error_of(settings), HasSubstr("missing_items: 2 evaluated items"));
  settings["missing"] = "skip";
  open(settings);
  EXPECT_EQ(task_->judge(task_->item(1).value(), {}).error().code(), ErrorCode::kNotFound);
  settings["missing"] = "wrong";
  open(settings);
  EXPECT_THAT(task_->judge(task_->item(1).value(), {})->values, ElementsAre(0));
  settings["missing"] = "skip";
  EXPECT_THAT(error_of(settings, /*is_compat=*/true), HasSubstr("missing_items"));
}

TEST_F(VilmaTaskTest, RefusesFlagsThatDoNotFit) {
  const std::string annotation = relations();
  EXPECT_THAT(error_of({}), HasSubstr("no annotation file named"));
  EXPECT_THAT(error_of({{"annotation-file", annotation}}), HasSubstr("0 results files named"));
  EXPECT_THAT(error_of({{"annotation-file", annotation}, {"input-file", main()}}),
              HasSubstr("no mode named"));
  EXPECT_THAT(error_of({{"annotation-file", annotation}, {"suite", "s.json"}}),
              HasSubstr("cannot be combined with --suite"));
  EXPECT_THAT(error_of({{"annotation-file", annotation}, {"input-file", "a,b,c"}}),
              HasSubstr("3 results files named"));
}

TEST_F(VilmaTaskTest, RefusesNamesThatWouldClash) {
  relations();
  prof();
  main();
  auto suite_of = [&](std::string_view more) {
    return write(
        "suite.json",
        fmt::format(R"([{{"annotation": "relations.json", "mode": "similarity", "prof": "p.json",
                                 "main": "t.json"{}}}])",
                    more));
  };
  EXPECT_THAT(error_of({{"suite", suite_of(R"(, "subtask": "average")")}}), HasSubstr("'average'"));
  EXPECT_THAT(error_of({{"suite", suite_of(R"(, "subtask": "../x")")}}), HasSubstr("cannot name"));
  EXPECT_THAT(error_of({{"suite", suite_of(R"(, "subtask": "counting", "task": "rare_actions")")}}),
              HasSubstr("no error"));
}

}  // namespace
}  // namespace snellen::tasks::vilma
