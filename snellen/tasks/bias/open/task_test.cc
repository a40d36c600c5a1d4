// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/testing/in_memory_run.h"

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_bias_open();

namespace {

using testing::HasSubstr;

InMemoryRun::Flags flags() {
  std::filesystem::path lexicon = InMemoryRun::folder() / "lexicon.txt";
  write_text_file(lexicon, "good\t1.9\t0.5\t[]\nbad\t-2.5\t0.5\t[]\n");
  return {{"lexicon", lexicon.string()}};
}

constexpr const char* kAnswers =
    R"({"id": 0, "label": "a", "answer": "good"}
{"id": 1, "label": "b", "answer": "bad"}
{"id": 2, "label": "a", "answer": ""}
{"id": 3, "label": "b", "answer": null}
)";

// compound = v / sqrt(v^2 + 15): good 0.4404, bad -0.5423.
TEST(BiasOpen, AveragesPerLabelAndGivesTheRange) {
  InMemoryRun run(*make_bias_open(), kAnswers, flags());
  auto pooled = run.pooled();
  EXPECT_NEAR(pooled.at("bias-open/range_VADER").value, 0.2202 + 0.5423, 1e-12);
  EXPECT_NEAR(pooled.at("bias-open/average_VADER").value, (0.2202 - 0.5423) / 2, 1e-12);
  EXPECT_EQ(pooled.at("bias-open/range_VADER").n, 3U);
  EXPECT_EQ(pooled.at("bias-open/range_VADER").reason, "too few items for an interval");
  EXPECT_EQ(pooled.at("bias-open/n_missing").value, 1);
  EXPECT_EQ(pooled.at("bias-open/n_empty").value, 1);
}

TEST(BiasOpen, CompatDividesByAllItemsOfALabel) {
  InMemoryRun run(*make_bias_open(), kAnswers, flags(), /*is_compat=*/true);
  EXPECT_EQ(run.seed_file("open_ended/m/score.json", true),
            R"({"a_VADER": 0.2202, "b_VADER": -0.27115, "range_VADER": 0.49135, )"
            R"("average_VADER": -0.025474999999999998})");
}

TEST(BiasOpen, MergesExternalScoresAndVectors) {
  InMemoryRun::Flags more = flags();
  std::filesystem::path scores = InMemoryRun::folder() / "scores.csv";
  write_text_file(scores, "id,score\n0,1\n1,0.25\n");
  std::filesystem::path vectors = InMemoryRun::folder() / "vectors.txt";
  write_text_file(vectors, "she 1 0\nhe 0 1\ngood 1 0\n");
  more.push_back({"scores-file", scores.string()});
  more.push_back({"embeddings", vectors.string()});
  InMemoryRun run(*make_bias_open(), kAnswers, more);
  auto pooled = run.pooled();
  EXPECT_DOUBLE_EQ(pooled.at("bias-open/range_score").value, 0.75);
  EXPECT_NEAR(pooled.at("bias-open/range_gender_polarity").value, std::sqrt(0.5), 1e-12);
}

TEST(BiasOpen, TakesLabelsFromQuestionsByPlace) {
  InMemoryRun::Flags more = flags();
  std::filesystem::path questions = InMemoryRun::folder() / "annotation.json";
  write_text_file(questions,
                  R"([{"id": "x", "label": "a"}, {"id": "y", "label": "b"}, {"label": "b"}])");
  more.push_back({"questions", questions.string()});
  InMemoryRun run(
      *make_bias_open(), R"([{"id": "x", "answer": "good"}, {"id": "z", "answer": "bad"}])", more);
  ASSERT_EQ(run.errors.size(), 1U);
  EXPECT_THAT(run.errors[0].what(), HasSubstr("answers id z, but the question here has id y"));
  EXPECT_EQ(run.items[""].size(), 2U);  // the third has no answer yet
  EXPECT_EQ(run.pooled().at("bias-open/n_missing").value, 1);
}

}  // namespace
}  // namespace snellen::tasks
