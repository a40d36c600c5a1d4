// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/vader/vader.h"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

constexpr std::string_view kLexicon =
    "good\t1.9\t0.9\t[2, "
    "1]\nbad\t-2.5\nkind\t2.4\r\nheart\t3.2\nno\t-1.2\njoy\t2.8\ngreat\t3.1\n:)\t2.0\ngood\t2."
    "0\nfine\t1.0\n";

Vader small_vader(VaderVariant variant = VaderVariant::kReference) {
  return Vader(
      VaderWords(kLexicon, "lexicon"),
      EmojiTable("\xF0\x9F\x98\x80\tgood face\n\xE2\x9D\xA4\xEF\xB8\x8F\tred heart", "emoji"),
      variant);
}

double normalized(double sum) {
  return std::round(sum / std::sqrt(sum * sum + 15) * 1e4) / 1e4;
}

double compound(std::string_view text) {
  return small_vader().score(text).compound;
}

TEST(Vader, LastOfEqualTokensWins) {
  EXPECT_EQ(VaderWords(kLexicon, "lexicon").lexicon_size(), 9u);
  EXPECT_DOUBLE_EQ(compound("good"), normalized(2.0));
}

TEST(Vader, ScoresSharesOfATwoWordText) {
  Sentiment score = small_vader().score("good day");
  EXPECT_DOUBLE_EQ(score.pos, 0.75);  // (2 + 1) / (3 + 1)
  EXPECT_DOUBLE_EQ(score.neu, 0.25);
  EXPECT_DOUBLE_EQ(score.neg, 0);
}

TEST(Vader, ATextWithoutTokensIsAllZero) {
  Sentiment score = small_vader().score(" \t\n");
  EXPECT_EQ(score.neu, 0);
  EXPECT_EQ(score.compound, 0);
}

TEST(Vader, AppliesBoostersNegationAndCapitals) {
  EXPECT_DOUBLE_EQ(compound("very good"), normalized(2.0 + 0.293));
  EXPECT_DOUBLE_EQ(compound("not good"), normalized(2.0 * -0.74));
  EXPECT_DOUBLE_EQ(compound("shouldn't good"), normalized(2.0 * -0.74));
  EXPECT_DOUBLE_EQ(compound("a GOOD day"), normalized(2.0 + 0.733));
  EXPECT_DOUBLE_EQ(compound("GOOD"), normalized(2.0));
  EXPECT_DOUBLE_EQ(compound("never so good"), normalized((2.0 + 0.293) * 1.25));
}

TEST(Vader, SoAtThreeWordsNeedsNoNever) {
  EXPECT_DOUBLE_EQ(compound("it was so good"), normalized((2.0 + 0.293) * 1.25));
}

TEST(Vader, NoBeforeALexiconWordNegatesItAndCountsForNothing) {
  EXPECT_DOUBLE_EQ(compound("no joy"), normalized(2.8 * -0.74));
}

TEST(Vader, SpecialPhrasesNeedThreeWordsBefore) {
  EXPECT_DOUBLE_EQ(compound("she has a broken heart"), normalized(-2.9));
  EXPECT_DOUBLE_EQ(compound("broken heart"), normalized(3.2));
}

TEST(Vader, PunctuationStormsAddEmphasis) {
  EXPECT_DOUBLE_EQ(compound("good!!!!!!!"), normalized(2.0 + 4 * 0.292));
  EXPECT_DOUBLE_EQ(compound("good??"), normalized(2.0 + 0.36));
  EXPECT_DOUBLE_EQ(compound("good????"), normalized(2.0 + 0.96));
}

TEST(Vader, KeepsEmoticonsAndShortTokensUnstripped) {
  EXPECT_DOUBLE_EQ(compound(":)"), normalized(2.0));
  EXPECT_DOUBLE_EQ(compound("no,"), 0);
}

TEST(Vader, ReplacesEmojiOfOneCodePointOnly) {
  EXPECT_DOUBLE_EQ(compound("a\xF0\x9F\x98\x80"), normalized(2.0));
  EXPECT_DOUBLE_EQ(compound("\xE2\x9D\xA4\xEF\xB8\x8F"), 0);
}

TEST(Vader, ButHalvesBeforeAndRaisesAfter) {
  EXPECT_DOUBLE_EQ(compound("good but bad"), normalized(2.0 * 0.5 - 2.5 * 1.5));
}

TEST(Vader, ButHitsTheFirstEqualValueUnlessFixed) {
  // good is halved to 1.0; fine is 1.0 too, so the reference halves good again and leaves fine
  // alone.
  EXPECT_DOUBLE_EQ(small_vader().score("good but fine").compound, normalized(0.5 + 1.0));
  EXPECT_DOUBLE_EQ(small_vader(VaderVariant::kFixed).score("good but fine").compound,
                   normalized(1.0 + 1.5));
}

TEST(Vader, ALongTextAroundButFollowsTheSameRule) {
  // 100 times good, but, fine: the first k halves position 0 and so on; fine then halves good once
  // more.
  std::string text;
  for (int i = 0; i < 100; ++i) text += "good ";
  EXPECT_DOUBLE_EQ(small_vader().score(text + "but fine").compound,
                   normalized(99 * 1.0 + 0.5 + 1.0));
}

TEST(Vader, AVeryLongTextCostsLittle) {
  std::string text;
  for (int i = 0; i < 40000; ++i) text += i % 2 == 0 ? "good but " : "bad x ";
  EXPECT_LE(std::abs(small_vader().score(text).compound), 1);
}

TEST(Vader, NamesTheLineThatIsNoLexiconEntry) {
  try {
    VaderWords("good\t1.9\nbad\n", "mine.txt");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    EXPECT_EQ(error.where(), "mine.txt: line 2");
  }
  EXPECT_THROW(VaderWords("", "empty.txt"), Error);
  EXPECT_THROW(EmojiTable("x", "emoji.txt"), Error);
}

TEST(Vader, LongKeysAreFound) {
  std::string key(40, 'z');
  Vader vader(VaderWords(key + "\t2.0\n", "lexicon"), EmojiTable());
  EXPECT_DOUBLE_EQ(vader.score(key).compound, normalized(2.0));
}

}  // namespace
}  // namespace snellen::text
