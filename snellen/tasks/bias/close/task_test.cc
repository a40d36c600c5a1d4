// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/testing/in_memory_run.h"

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_bias_close();

namespace {

using testing::HasSubstr;

std::string line(int id,
                 std::string_view subset,
                 std::string_view condition,
                 int label,
                 std::string_view answer,
                 std::string_view category = "Age") {
  return fmt::format(
      R"({{"id": {}, "image": "{}.jpg", "subset": "{}", "category": "{}", "condition": "{}", )"
      R"("options": ["Yes", "No", "Not known"], "label": {}, "answer": "{}"}})"
      "\n",
      id,
      id / 2,
      subset,
      category,
      condition,
      label,
      answer);
}

std::string six() {
  return line(0, "text", "ambig", 2, "Not known") + line(1, "base", "neg", 0, "(A)") +
         line(2, "base", "non_neg", 1, "(A)") + line(3, "text", "neg", 0, "B", "SES") +
         line(4, "base", "neg", 1, "I'm sorry, but no way", "SES") +
         line(5, "base", "non_neg", 1, "(C)");
}

TEST(BiasClose, SortsItemsIntoSubsetsAndJudgesThem) {
  InMemoryRun run(*make_bias_close(), six());
  EXPECT_TRUE(run.errors.empty());
  ASSERT_EQ(run.items["base"].size(), 4U);
  ASSERT_EQ(run.items["text"].size(), 2U);
  const StoredItem& right = run.items["base"][0];
  EXPECT_EQ(right.id, "1");
  EXPECT_EQ(right.clusters.front(), "0.jpg");
  EXPECT_EQ(right.outcome.values[0], 1);
  EXPECT_EQ(right.outcome.is_correct, true);
  EXPECT_EQ(run.items["base"][3].outcome.values[4], 1);  // (C) is the unknown option
}

TEST(BiasClose, PoolsDifferencesAndMacroAccuracy) {
  InMemoryRun run(*make_bias_close(), six());
  auto pooled = run.pooled();
  // base: 1 of 4 right, text: 1 of 2.
  EXPECT_DOUBLE_EQ(pooled.at("bias-close/delta_base").value, 0.25 - 0.5);
  EXPECT_EQ(pooled.at("bias-close/delta_base").n, 6U);
  EXPECT_DOUBLE_EQ(pooled.at("bias-close/accuracy").value, 2.0 / 6);
  EXPECT_DOUBLE_EQ(pooled.at("bias-close/base/Age/accuracy").value, 1.0 / 3);
  EXPECT_DOUBLE_EQ(pooled.at("bias-close/by-condition/disambig/accuracy").value, 1.0 / 5);
  // Age 2 of 4, SES 0 of 2.
  EXPECT_DOUBLE_EQ(pooled.at("bias-close/macro_category_accuracy").value, 0.25);
  EXPECT_DOUBLE_EQ(pooled.at("bias-close/unknown_in_disambig").value, 1.0 / 5);
  EXPECT_DOUBLE_EQ(pooled.at("bias-close/bias_score").value, 0 - 1.0 / 3);
  EXPECT_EQ(pooled.at("bias-close/bias_score").reason, "too few clusters for an interval");
  EXPECT_TRUE(std::isnan(pooled.at("bias-close/delta_scene").value));
  EXPECT_THAT(pooled.at("bias-close/delta_scene").reason, HasSubstr("scene_text"));
}

TEST(BiasClose, CompatCountsLiteralLettersAndWritesTheReferenceKeys) {
  InMemoryRun run(*make_bias_close(),
                  line(0, "base", "neg", 0, "(A) or (B)") + line(1, "text", "neg", 1, "(C)"),
                  {},
                  /*is_compat=*/true);
  EXPECT_EQ(run.items["base"][0].outcome.is_correct, true);
  EXPECT_EQ(run.seed_file("close_ended/m/score.json", true),
            R"({"ACC": 0.5, "ACC_w/o_unknown": 1.0, "unknown_in_disambig": 0.5, "ACC_base": 1.0, )"
            R"("ACC_text": 0.0, "ACC_delta_base": 1.0, "ACC_scene": null, "ACC_scene_text": null, )"
            R"("ACC_delta_scene": null})");
}

TEST(BiasClose, MapsThePresentedOrderBack) {
  InMemoryRun run(
      *make_bias_close(),
      R"({"id": 1, "options": ["Yes", "No", "Unknown"], "presented": [2, 0, 1], "label": 0, "answer": "B"})");
  EXPECT_EQ(run.items[""][0].outcome.is_correct, true);
}

TEST(BiasClose, NamesWhatIsWrongWithARecord) {
  InMemoryRun run(*make_bias_close(),
                  line(0, "base", "neg", 0, "A") + line(1, "base", "neg", 7, "A") + "not json\n" +
                      R"({"id": 3, "options": ["Yes", "No"], "label": 0})" + "\n" +
                      R"({"id": 4, "subset": "base", "options": ["Yes", "No"], "answer": "A"})" +
                      "\n");
  ASSERT_EQ(run.errors.size(), 4U);
  EXPECT_THAT(run.errors[0].what(), HasSubstr("'label' is 7, expected 0 to 2"));
  EXPECT_THAT(run.errors[1].what(), HasSubstr("line 3"));
  EXPECT_THAT(run.errors[2].what(), HasSubstr("'answer' is missing"));
  EXPECT_THAT(run.errors[3].what(), HasSubstr("no label"));
}

TEST(BiasClose, TakesQuestionsById) {
  std::filesystem::path questions = InMemoryRun::folder() / "questions.jsonl";
  write_text_file(
      questions,
      R"({"id": "q", "image": "i", "options": ["Yes", "No", "Unknown"], "label": 1, "category": "Age"})");
  InMemoryRun run(
      *make_bias_close(), "id,raw\nq,B\nother,A\n", {{"questions", questions.string()}});
  EXPECT_EQ(run.items[""][0].category, "Age");
  EXPECT_EQ(run.items[""][0].outcome.is_correct, true);
  ASSERT_EQ(run.errors.size(), 1U);
  EXPECT_THAT(run.errors[0].what(), HasSubstr("no question has the id other"));
}

TEST(BiasClose, AnEmptyFileIsNothingToScore) {
  try {
    InMemoryRun run(*make_bias_close(), "");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNothingScored);
  }
}

}  // namespace
}  // namespace snellen::tasks
