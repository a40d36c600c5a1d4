// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/chances.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::models::openai {
namespace {

using testing::HasSubstr;

ChatAnswer with_chances(std::vector<std::pair<std::string, double>> chances) {
  ChatAnswer answer{.text = "?"};
  for (const auto& [token, chance] : chances)
    answer.first_token.push_back({token, std::log(chance)});
  return answer;
}

TEST(YesScore, SumsTheSpellingsOfBothWords) {
  const Result<YesScore> score = yes_score(with_chances({{"Yes", 0.3},
                                                         {" yes", 0.1},
                                                         {"YES", 0.05},
                                                         {"\xe2\x96\x81yes", 0.05},
                                                         {"No", 0.2},
                                                         {"\xc4\xa0no", 0.1},
                                                         {"Yesterday", 0.1},
                                                         {"not", 0.1}}));
  ASSERT_TRUE(score);
  EXPECT_NEAR(score->value, 0.5 / 0.8, 1e-15);
  EXPECT_NEAR(score->mass, 0.8, 1e-15);
  EXPECT_FALSE(score->is_from_words);
}

TEST(YesScore, OneWordAloneIsSure) {
  EXPECT_EQ(yes_score(with_chances({{"yes", 0.01}, {"Maybe", 0.9}}))->value, 1.0);
  EXPECT_EQ(yes_score(with_chances({{"No", 0.01}, {"Maybe", 0.9}}))->value, 0.0);
}

TEST(YesScore, NeitherWordIsNoScore) {
  const Result<YesScore> score = yes_score(with_chances({{"Maybe", 0.9}, {"The", 0.1}}));
  ASSERT_FALSE(score);
  EXPECT_THAT(score.error().what(), HasSubstr("neither yes nor no"));
}

TEST(YesScore, ReadsTheWordsWhereTheServerGivesNoLogProbabilities) {
  EXPECT_EQ(yes_score({.text = "Yes, it does."})->value, 1.0);
  EXPECT_EQ(yes_score({.text = " **no**"})->value, 0.0);
  EXPECT_TRUE(yes_score({.text = "no"})->is_from_words);
  EXPECT_FALSE(yes_score({.text = "Nothing is there"}));
  EXPECT_FALSE(yes_score({.text = ""}));
}

TEST(YesScore, SaysThatAModelOnlyReasonedOrRefused) {
  EXPECT_THAT(yes_score({.text = "", .reasoning = "Let me see"}).error().what(),
              HasSubstr("reasoned aloud"));
  EXPECT_THAT(yes_score({.text = "I will not", .refusal = "no"}).error().what(),
              HasSubstr("refused"));
}

TEST(YesScore, ReadsWhatFollowsReasoningBetweenTags) {
  const std::string reasoning = "<think>\nNo, wait. Yes?\n</think>\n";
  EXPECT_EQ(yes_score({.text = reasoning + "Yes"})->value, 1.0);
  EXPECT_EQ(yes_score({.text = reasoning + "No."})->value, 0.0);
  EXPECT_EQ(letter_chances({.text = reasoning + "(B)"}, 2)->shares[1], 1);
  // The likeliest first tokens are those of the reasoning.
  ChatAnswer answer = with_chances({{"<think>", 0.9}});
  answer.text = reasoning + "Yes";
  EXPECT_TRUE(yes_score(answer)->is_from_words);
  answer.text = reasoning + "A";
  EXPECT_EQ(letter_chances(answer, 2)->shares[0], 1);
}

TEST(YesScore, ReasoningAloneIsNoAnswer) {
  for (const char* text : {"<think>", " <think>\nYes, because", "<think>Yes</think>\n"}) {
    ChatAnswer answer = with_chances({{"<think>", 0.9}});
    answer.text = text;
    for (const ChatAnswer& one : {answer, ChatAnswer{.text = text}}) {
      EXPECT_THAT(yes_score(one).error().what(), HasSubstr("reasoned aloud")) << text;
      EXPECT_THAT(letter_chances(one, 2).error().what(), HasSubstr("reasoned aloud")) << text;
    }
  }
}

TEST(LetterChances, RenormalisesOverTheLetters) {
  const Result<LetterChances> chances =
      letter_chances(with_chances({{"A", 0.4}, {"(B", 0.1}, {" B", 0.1}, {"C", 0.3}}), 2);
  ASSERT_TRUE(chances);
  EXPECT_NEAR(chances->mass, 0.6, 1e-15);
  EXPECT_NEAR(chances->shares[0], 4.0 / 6, 1e-15);
  EXPECT_NEAR(chances->shares[1], 2.0 / 6, 1e-15);
}

TEST(LetterChances, ReadsTheLetterOfWords) {
  EXPECT_EQ(letter_chances({.text = "(B) because"}, 2)->shares[1], 1);
  EXPECT_EQ(letter_chances({.text = "A."}, 2)->shares[0], 1);
  EXPECT_FALSE(letter_chances({.text = "C"}, 2));
  EXPECT_FALSE(letter_chances({.text = "Answer"}, 2));
}

TEST(LetterPrompt, PutsLettersBeforeTheOptions) {
  EXPECT_EQ(letter_prompt("Which?", {"a dog", "a cat", "both"}),
            "Which?\nA) a dog\nB) a cat\nC) both\nReply with one letter only (A, B or C):");
}

TEST(OptionLines, AreCountedFromAOn) {
  EXPECT_EQ(num_option_lines("Which?\nA) a dog\nB) a cat\nReply with one letter only:"), 2U);
  EXPECT_EQ(num_option_lines("(A) Yes\n(B) No\n(C) Not known"), 3U);
  EXPECT_EQ(num_option_lines("Options:\nNot known\nB) No\nA. Yes"), 1U);
  EXPECT_EQ(num_option_lines(""), 0U);
}

TEST(Filled, TakesOnePlaceForTheText) {
  EXPECT_EQ(filled("Is it {}?", "a {} b"), "Is it a {} b?");
  EXPECT_THROW(filled("Is it?", "a"), Error);
  EXPECT_THROW(filled("{} or {}", "a"), Error);
}

}  // namespace
}  // namespace snellen::models::openai
