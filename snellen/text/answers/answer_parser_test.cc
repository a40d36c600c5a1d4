// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/answers/answer_parser.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

const std::vector<std::string>& yes_no() {
  static const std::vector<std::string> options = {"Yes", "No", "Not enough information"};
  return options;
}

// "A/rule", "-/rule" when no option was chosen.
std::string outcome(std::string_view response) {
  ParsedAnswer answer = parse_answer(response, {.texts = yes_no(), .unknown = 2});
  std::string letter = answer.index ? std::string(1, static_cast<char>('A' + *answer.index)) : "-";
  return letter + "/" + std::string(answer.rule);
}

TEST(AnswerParser, KeepsOnlyWhatFollowsTheReasoning) {
  EXPECT_EQ(outcome("<think>(A)</think> (B)"), "B/sole_letter");
  EXPECT_EQ(outcome("  <think>(A) because"), "-/truncated_reasoning");
}

TEST(AnswerParser, TakesTheLastBoxedLetter) {
  EXPECT_EQ(outcome("\\boxed{A} no, \\boxed{ \\text{(b)} }"), "B/boxed");
  EXPECT_EQ(outcome("\\boxed{A} then \\boxed{( c )}"), "C/boxed");
}

TEST(AnswerParser, CuesTakeACapitalOrABracketedLetter) {
  EXPECT_EQ(outcome("The answer should be 'B'."), "B/cue");
  EXPECT_EQ(outcome("option A's colour"), "-/none");
  EXPECT_EQ(outcome("first answer: A. final ANSWER = [c]"), "C/cue");
  EXPECT_EQ(outcome("my answer is: 'b'. "), "B/cue");
  EXPECT_EQ(outcome("answers B"), "B/isolated_letter");
}

TEST(AnswerParser, ALeadingLetterMustNotBeOneOfTwo) {
  EXPECT_EQ(outcome("B - it is seen"), "B/leading_letter");
  EXPECT_EQ(outcome("A) or B)"), "-/isolated_multi");
  EXPECT_EQ(outcome("(A) & (B)"), "-/bracketed_multi");
}

TEST(AnswerParser, UnknownPhrasesAreTakenOutBeforeNo) {
  EXPECT_EQ(outcome("There is no way to tell, so no."), "-/text_multi");
  EXPECT_EQ(outcome("There is no way to tell."), "C/text_contains");
}

TEST(AnswerParser, AnArticleIsNoAnswer) {
  EXPECT_EQ(outcome("A man walks"), "-/none");
  EXPECT_EQ(outcome("A as the man walks"), "A/isolated_letter");
  EXPECT_EQ(outcome("Perhaps B\xE2\x80\x94who knows"), "B/isolated_letter");
}

TEST(AnswerParser, RefusalsComeLast) {
  EXPECT_EQ(outcome("I'm sorry, I will not say."), "-/refusal");
  EXPECT_EQ(outcome("I\xE2\x80\x99m sorry"), "-/refusal");
}

TEST(AnswerParser, LettersBeyondTheOptionsNeverMatch) {
  EXPECT_EQ(outcome("E"), "-/none");
  EXPECT_EQ(outcome("(D) maybe (B)"), "B/bracketed");
}

TEST(AnswerParser, RefusesAQuestionWithoutOptions) {
  EXPECT_THROW(parse_answer("A", {}), Error);
  EXPECT_THROW(parse_answer("A", {.texts = yes_no(), .unknown = 3}), Error);
}

}  // namespace
}  // namespace snellen::text
