// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_c/lexicon.h"

#include <gtest/gtest.h>

namespace snellen::builders::probe_c {
namespace {

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  for_each_token(text, [&](std::string_view token) { tokens.emplace_back(token); });
  return tokens;
}

const std::vector<std::string> kNouns = {"dog", "bear", "t-shirt", "glass", "light"};
const std::vector<std::string> kCompounds = {"teddy bear", "traffic light"};

std::vector<std::string> pairs_of(std::string_view caption) {
  Lexicon lexicon(kNouns, kCompounds);
  std::vector<std::string> pairs;
  for (const Pair& pair : lexicon.words_of(caption).pairs)
    pairs.push_back(lexicon.attribute(pair.attribute) + "/" + lexicon.noun(pair.noun));
  return pairs;
}

TEST(Tokens, AreWordsWithInnerHyphensAndSingleOtherCharacters) {
  EXPECT_EQ(
      tokens_of("a t-shirt, 12 -x- a--b"),
      (std::vector<std::string>{"a", "t-shirt", ",", "1", "2", "-", "x", "-", "a", "-", "-", "b"}));
  EXPECT_EQ(tokens_of("caf\xc3\xa9\xc2\xa0z"), (std::vector<std::string>{"caf", "\xc3\xa9", "z"}));
}

TEST(Lexicon, FindsAnAttributeDirectlyBeforeANoun) {
  EXPECT_EQ(pairs_of("A BLACK dog and a white, dog"), (std::vector<std::string>{"black/dog"}));
  EXPECT_EQ(pairs_of("red small dog"), (std::vector<std::string>{"small/dog"}));
  EXPECT_EQ(pairs_of("blue t-shirt"), (std::vector<std::string>{"blue/t-shirt"}));
}

TEST(Lexicon, PrefersACompoundAndMentionsItsParts) {
  EXPECT_EQ(pairs_of("a brown teddy bear"), (std::vector<std::string>{"brown/teddy bear"}));
  Lexicon lexicon(kNouns, kCompounds);
  std::vector<std::string> nouns;
  for (uint32_t noun : lexicon.words_of("teddy bear").nouns) nouns.push_back(lexicon.noun(noun));
  EXPECT_EQ(nouns, (std::vector<std::string>{"bear", "teddy bear"}));
}

TEST(Lexicon, LeavesAttributesOutOfTheNouns) {
  Lexicon lexicon(kNouns, kCompounds);
  EXPECT_EQ(lexicon.num_nouns(), 6U) << "glass is an attribute";
  EXPECT_EQ(lexicon.num_attributes(), 114U);
  EXPECT_TRUE(pairs_of("a clear glass").empty());
}

}  // namespace
}  // namespace snellen::builders::probe_c
