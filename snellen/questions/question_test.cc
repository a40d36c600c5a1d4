// SPDX-License-Identifier: Apache-2.0
#include "snellen/questions/question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::questions {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Question, ScoresStandInTheOrderOfTheQuestions) {
  const std::vector<Question> questions = {{.visual = 1, .texts = {0, 2}},
                                           {.visual = 0, .texts = {1}}};
  EXPECT_THAT(pairs_of(questions), ElementsAre(Pair{1, 0}, Pair{1, 2}, Pair{0, 1}));
}

TEST(Question, OneVisualIsOneQuestionAlsoWhereItsPairsStandApart) {
  const std::vector<Pair> pairs = {{0, 0}, {1, 0}, {0, 1}};
  const std::vector<Question> questions = questions_about(pairs);
  ASSERT_EQ(questions.size(), 2U);
  EXPECT_THAT(questions[0].texts, ElementsAre(0, 1));
  EXPECT_THAT(questions[0].places, ElementsAre(0, 2));
  EXPECT_EQ(pairs_of(questions), pairs);
}

TEST(Question, PairsInTheOrderOfTheirVisualsNeedNoPlaces) {
  const std::vector<Pair> pairs = {{0, 0}, {0, 1}, {1, 0}};
  for (const Question& question : questions_about(pairs)) EXPECT_THAT(question.places, IsEmpty());
  EXPECT_EQ(pairs_of(questions_about(pairs)), pairs);
}

TEST(Visual, SaysWhyItHasNoPlaceAndEndsTheRunWhenTheSettingsNameNone) {
  const Visual lost = unplaced("a", Error{ErrorCode::kNotFound, "is not there", "a"});
  EXPECT_EQ(lost.place().error().code(), ErrorCode::kNotFound);
  const Visual unnamed = unplaced("a", Error{ErrorCode::kUsage, "no folder of images named"});
  EXPECT_THROW((void)unnamed.place(), Error);
}

TEST(Visual, IsShardedByThePictureItIsMadeFrom) {
  EXPECT_EQ((Visual{.name = "a.jpg cropped", .group = "a.jpg"}.shard_key()), "a.jpg");
  EXPECT_EQ((Visual{.name = "a.jpg"}.shard_key()), "a.jpg");
}

}  // namespace
}  // namespace snellen::questions
