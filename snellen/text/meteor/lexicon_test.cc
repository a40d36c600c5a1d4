// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/lexicon.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::text::meteor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Lexicon small() {
  LexiconTexts texts;
  texts.synsets = "box\n00000007 00000003\nrun\n11\nspoon\n5\nspoonful\n6\nbe\n21 22\nkiss\n31\n";
  texts.exceptions = "run\nran\nbe\nam was\n";
  return lexicon_of(texts);
}

std::vector<int64_t> synsets(const Lexicon& lexicon, std::string_view word) {
  std::vector<int64_t> ids;
  lexicon.synsets_of(word, ids);
  return ids;
}

TEST(Lexicon, GivesAscendingIds) {
  EXPECT_THAT(synsets(small(), "box"), ElementsAre(3, 7));
}

TEST(Lexicon, FindsBaseForms) {
  EXPECT_THAT(synsets(small(), "boxes"), ElementsAre(3, 7));
  EXPECT_EQ(small().base_form("runing"), "run");
  EXPECT_EQ(small().base_form("kiss"), "kiss");  // ends in ss
  EXPECT_EQ(small().base_form("zzz"), "");
}

TEST(Lexicon, FollowsExceptionsInsteadOfRules) {
  EXPECT_THAT(synsets(small(), "ran"), ElementsAre(11));
  EXPECT_THAT(synsets(small(), "was"), ElementsAre(21, 22));
}

TEST(Lexicon, HasNoRuleForWordsInFul) {
  EXPECT_THAT(synsets(small(), "spoonsful"), IsEmpty());
}

TEST(Lexicon, IsEmptyWithoutTables) {
  EXPECT_TRUE(Lexicon().is_empty());
  EXPECT_THAT(synsets(Lexicon(), "box"), IsEmpty());
}

TEST(Lexicon, TakesTheLastOfTwoEqualLemmas) {
  LexiconTexts texts;
  texts.synsets = "a\n1\na\n2\n";
  EXPECT_THAT(synsets(lexicon_of(texts), "a"), ElementsAre(2));
}

std::string error_of(const LexiconTexts& texts) {
  try {
    lexicon_of(texts);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Lexicon, NamesTheLineOfABadId) {
  LexiconTexts texts;
  texts.synsets = "a\n1\nb\n2 x\n";
  EXPECT_THAT(error_of(texts), HasSubstr("english.synsets: line 4"));
}

TEST(Lexicon, RefusesHalfAnEntry) {
  LexiconTexts texts;
  texts.exceptions = "a\nb\nc\n";
  EXPECT_THAT(error_of(texts), HasSubstr("english.exceptions: line 3"));
}

}  // namespace
}  // namespace snellen::text::meteor
