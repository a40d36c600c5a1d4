// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/answer_index.h"

#include <gtest/gtest.h>

namespace snellen::cca {
namespace {

// The common space is the one that the rows are in.
Projections identity(int64_t width) {
  Projections::View view{.mean = Eigen::RowVectorXd::Zero(width),
                         .weights = Eigen::MatrixXd::Identity(width, width)};
  return {.eigenvalues = Eigen::VectorXd::Ones(width), .views = {view, view}};
}

class AnswerIndexTest : public testing::Test {
 protected:
  AnswerIndexTest() : questions_(4, 2) { questions_ << 1, 0, 1, 0.1, 0, 1, 2, 0; }

  AnswerIndex index() const {
    return {Projector(identity(2), 1, 1),
            Projector(identity(2), 0, 1),
            {.questions = {questions_.data(), questions_.rows(), questions_.cols()},
             .question_of = question_of_,
             .answer_of = answer_of_,
             .read_answer =
                 [](uint32_t answer, std::span<double> out) {
                   out[0] = answer;
                   out[1] = 1;
                 }},
            1};
  }
  Rows questions_;
  std::vector<uint32_t> question_of_ = {3, 0, 1, 0, 2};
  std::vector<uint32_t> answer_of_ = {0, 1, 2, 3, 4};
};

TEST_F(AnswerIndexTest, TakesEquallyNearQuestionsByTheirRounds) {
  Rows query(1, 2);
  query << 3, 0;
  const AnswerIndex index_of_rounds = index();
  const auto found = index_of_rounds.find(query, 4);
  // Questions 0 and 3 have the same direction: rounds 0, 1 and 3; then question 1.
  EXPECT_EQ(found[0].nearest, (std::vector<uint32_t>{0, 1, 3, 2}));
  // By the answers (x, 1), the larger x the nearer.
  EXPECT_EQ(found[0].ranked, (std::vector<uint32_t>{3, 2, 1, 0}));
}

TEST_F(AnswerIndexTest, GivesFewerAnswersWithoutAnotherSearch) {
  Rows queries(2, 2);
  queries << 3, 0, 0.2, 1;
  const AnswerIndex index_of_rounds = index();
  const auto all = index_of_rounds.find(queries, 5);
  for (const size_t count : {1U, 2U, 3U, 4U, 5U, 9U}) {
    const auto few = index_of_rounds.find(queries, count);
    for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].best(count), few[i].ranked) << count;
  }
}

TEST_F(AnswerIndexTest, NeverFindsAQuestionThatNobodyAsked) {
  question_of_ = {0, 0, 0, 0, 0};
  Rows query(1, 2);
  query << 0, 1;  // nearest to question 2
  const AnswerIndex index_of_rounds = index();
  EXPECT_EQ(index_of_rounds.find(query, 2)[0].nearest, (std::vector<uint32_t>{0, 1}));
}

TEST_F(AnswerIndexTest, FindsAllTiesHoweverManyThereAre) {
  questions_ = Rows::Ones(500, 2);
  question_of_.resize(500);
  answer_of_.resize(500);
  for (uint32_t i = 0; i < 500; ++i) question_of_[i] = 499 - i;
  Rows query(1, 2);
  query << 1, 2;
  const AnswerIndex index_of_rounds = index();
  EXPECT_EQ(index_of_rounds.find(query, 3)[0].nearest, (std::vector<uint32_t>{0, 1, 2}));
}

}  // namespace
}  // namespace snellen::cca
