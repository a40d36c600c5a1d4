// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "snellen/config/options.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/task.h"
#include "snellen/testing/small_dialogs.h"

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_visdial_rank();

namespace {

namespace fs = std::filesystem;

class VisdialRankTest : public testing::Test {
 protected:
  VisdialRankTest()
      : folder_(fs::temp_directory_path() / fmt::format("snellen_rank_{}", fmt::ptr(this))),
        entry_(make_visdial_rank()) {
    fs::create_directories(folder_);
    write_small_dialogs(folder_ / "dialogs.json");
  }
  ~VisdialRankTest() override { fs::remove_all(folder_); }

  std::unique_ptr<Task> open(const std::vector<std::pair<std::string, std::string>>& flags) {
    std::vector<config::Block> blocks = entry_->facts().settings;
    blocks.emplace_back(SharedSettings{}, shared_options());
    config::Options options(blocks);
    options.set("dialogs", (folder_ / "dialogs.json").string(), "test");
    for (const auto& [name, value] : flags) options.set(name, value, "test");
    return entry_->open({.options = options, .model = "m"});
  }

  fs::path folder_;
  std::unique_ptr<TaskEntry> entry_;
};

TEST_F(VisdialRankTest, LetsAChatModelChooseAmongAFew) {
  const auto task = open({{"choices", "10"}});
  ASSERT_EQ(task->columns().size(), 2U);
  EXPECT_EQ(task->columns()[0].chance, 0.1);
  const Item item = task->item(1).value();
  ASSERT_EQ(item.questions.size(), 1U);
  EXPECT_EQ(item.questions[0].wants, questions::Wants::kAnswer);
  const std::string& prompt = item.texts[0].prompt;
  EXPECT_NE(prompt.find("\nJ. "), std::string::npos);
  EXPECT_EQ(prompt.find("\nK. "), std::string::npos);
  EXPECT_EQ(task->item(1)->texts[0].prompt, prompt);
  EXPECT_NE(open({{"choices", "10"}, {"seed", "1"}})->item(1)->texts[0].prompt, prompt);
  size_t num_right = 0;
  for (const char letter : std::string("ABCDEFGHIJ")) {
    questions::Scores scores;
    scores.answers = {std::string(1, letter) + "."};
    const Outcome outcome = task->judge(item, scores).value();
    num_right += outcome.values[0] == 1 ? 1 : 0;
    EXPECT_EQ(outcome.values[1], 0);
  }
  EXPECT_EQ(num_right, 1U);
  questions::Scores silent;
  silent.answers = {""};
  EXPECT_EQ(task->judge(item, silent)->values, (std::vector<double>{0, 1}));
  EXPECT_FALSE(task->judge(item, {}));
}

TEST_F(VisdialRankTest, AsksAboutEveryCandidateWithItsQuestion) {
  const auto task = open({});
  EXPECT_EQ(task->parts()[0].num_items, 4U);
  const Item item = task->item(3).value();
  EXPECT_EQ(item.id, "8/1");
  EXPECT_EQ(item.clusters, (std::vector<std::string>{"8"}));
  ASSERT_EQ(item.texts.size(), 100U);
  EXPECT_EQ(item.texts[4].prompt, "what color is it?\nanswer 4");
  EXPECT_EQ(item.visuals[0].name, "VisualDialog_val2018_000000000008.jpg");
}

TEST_F(VisdialRankTest, RanksTheRecordedAnswerByItsScore) {
  const auto task = open({{"threshold", "true"}});
  const Item item = task->item(2).value();  // its answer stands at place 10
  std::vector<double> scores(100);
  std::iota(scores.begin(), scores.end(), 0.0);
  const Outcome outcome = task->judge(item, {.values = scores}).value();
  EXPECT_EQ(outcome.values[0], 90);
  EXPECT_EQ(outcome.values[3], 0);
  EXPECT_DOUBLE_EQ(outcome.values[4], 1.0 / 90);
  EXPECT_TRUE(std::isnan(outcome.values[5]));  // nobody annotated it
  EXPECT_EQ(outcome.values[6], 0);
  EXPECT_EQ(outcome.tied_columns, 0U);
  const Outcome tied = task->judge(item, {.values = std::vector<double>(100, 0.5)}).value();
  EXPECT_EQ(tied.values[0], 11);
  EXPECT_EQ(tied.tied_columns, 31U);
}

TEST_F(VisdialRankTest, ReadsRanksAndRelevances) {
  std::string ranks;
  std::string relevance;
  for (int i = 0; i < 100; ++i) {
    ranks += fmt::format("{}{}", i == 0 ? "" : ", ", 100 - i);
    relevance += i == 0 ? "0.5" : i == 99 ? ", 1.0" : ", 0";
  }
  write_text_file(folder_ / "ranks.json",
                  fmt::format("[{{\"image_id\": 7, \"round_id\": 2, \"ranks\": [{}]}}]", ranks));
  write_text_file(
      folder_ / "dense.json",
      fmt::format("[{{\"image_id\": 7, \"round_id\": 2, \"relevance\": [{}]}}]", relevance));
  const auto task = open({{"adapter", "given"},
                          {"ranks", (folder_ / "ranks.json").string()},
                          {"annotations", (folder_ / "dense.json").string()}});
  const Outcome outcome = task->judge(task->item(1).value(), {}).value();
  EXPECT_EQ(outcome.values[0], 99);
  EXPECT_DOUBLE_EQ(outcome.values[5], 1 / (1 + 0.5 / std::log2(3.0)));
  EXPECT_FALSE(task->judge(task->item(0).value(), {}));
}

TEST_F(VisdialRankTest, RefusesSettingsThatDoNotFit) {
  EXPECT_THROW(open({{"adapter", "given"}}), Error);
  EXPECT_THROW(open({{"ranks", "r.json"}}), Error);
}

}  // namespace
}  // namespace snellen::tasks
