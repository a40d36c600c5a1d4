// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/answers/answer_parser_compat.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

const std::vector<std::string>& yes_no() {
  static const std::vector<std::string> options = {"Yes", "No", "Not known"};
  return options;
}

TEST(CompatParsers, ParenCallsBothOfTwoLettersRight) {
  EXPECT_TRUE(is_right_by_paren("(A) or (B)", 0));
  EXPECT_TRUE(is_right_by_paren("(A) or (B)", 1));
  EXPECT_FALSE(is_right_by_paren("(a)", 0));
}

TEST(CompatParsers, FallbackNeedsATextWithoutAnyParenLetter) {
  EXPECT_TRUE(is_right_by_paren_fallback("A person", yes_no(), 0));
  EXPECT_FALSE(is_right_by_paren_fallback("A person (B)", yes_no(), 0));
  EXPECT_TRUE(is_right_by_paren_fallback("It is not known yet", yes_no(), 2));
  EXPECT_FALSE(is_right_by_paren_fallback("Yes!", yes_no(), 0));
}

TEST(CompatParsers, PrefixTakesNoForNotKnown) {
  EXPECT_EQ(option_by_prefix(" Not known. Yes", yes_no()), 1u);
  EXPECT_EQ(option_by_prefix("Perhaps", yes_no()), std::nullopt);
}

TEST(CompatParsers, FirstParenIsTheFirstInTheText) {
  EXPECT_EQ(option_by_first_paren("(x) (C) (A)", 3), 2u);
  EXPECT_EQ(option_by_first_paren("(D", 3), std::nullopt);
}

TEST(CompatParsers, MmmuTakesTheLastCandidateAndNeverGuesses) {
  EXPECT_EQ(option_by_mmmu("(A) is wrong, (B) is right", yes_no()), 1u);
  EXPECT_EQ(option_by_mmmu("B.", yes_no()), 1u);
  EXPECT_EQ(option_by_mmmu("B, then A or so", yes_no()), 0u);
  EXPECT_EQ(option_by_mmmu("C.is it", yes_no()), 2u);
  EXPECT_EQ(option_by_mmmu("well I would have to say yes", yes_no()), 0u);
  EXPECT_EQ(option_by_mmmu("I say yes", yes_no()), std::nullopt);
}

TEST(CompatParsers, ParenAsAParserIsAmbiguousBetweenTwoLabels) {
  AnswerOptions options{.texts = yes_no(), .unknown = 2};
  EXPECT_EQ(parse_answer_by(AnswerRule::kParen, "(A) or (B)", options).status,
            AnswerStatus::kAmbiguous);
  EXPECT_EQ(parse_answer_by(AnswerRule::kParen, "(C)", options).index, 2u);
  EXPECT_EQ(parse_answer_by(AnswerRule::kPrefix, "", options).status, AnswerStatus::kEmpty);
}

TEST(CompatParsers, AnUnknownNameSuggestsTheNearest) {
  EXPECT_EQ(answer_rule_of("first_paren"), AnswerRule::kFirstParen);
  EXPECT_THROW(answer_rule_of("parens"), Error);
}

}  // namespace
}  // namespace snellen::text
