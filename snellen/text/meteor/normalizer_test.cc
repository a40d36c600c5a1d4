// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/normalizer.h"

#include <gtest/gtest.h>

namespace snellen::text::meteor {
namespace {

std::string normalized(std::string_view text) {
  return std::string(Normalizer().normalize(text));
}

TEST(Normalizer, LowersAndJoinsPlainWords) {
  EXPECT_EQ(normalized("  A  Dog\truns "), "a dog runs");
}

TEST(Normalizer, SplitsClitics) {
  EXPECT_EQ(normalized("don't"), "don 't");
  EXPECT_EQ(normalized("the dog's"), "the dog 's");
  EXPECT_EQ(normalized("1990's"), "1990 's");
}

TEST(Normalizer, KeepsCommasBetweenDigitsOnly) {
  EXPECT_EQ(normalized("1,000, yes,no"), "1,000 , yes , no");
}

TEST(Normalizer, MissesEverySecondOfAdjacentCommas) {
  EXPECT_EQ(normalized("a,,b"), "a , ,b");
}

TEST(Normalizer, TreatsFinalDotsByWhatFollows) {
  EXPECT_EQ(normalized("It is. Yes."), "it is . yes .");
  EXPECT_EQ(normalized("Mr. Smith"), "mr. smith");
  EXPECT_EQ(normalized("it is. yes"), "it is. yes");  // a lower-case word goes on
  EXPECT_EQ(normalized("No. 5"), "no. 5");
  EXPECT_EQ(normalized("U.S. team"), "us team");
}

TEST(Normalizer, KeepsRunsOfDotsTogether) {
  EXPECT_EQ(normalized("well... no"), "well ... no");
  EXPECT_EQ(normalized("a..b"), "a .. b");
  EXPECT_EQ(normalized("....."), ".....");
}

TEST(Normalizer, TurnsItsOwnMarkerIntoDots) {
  EXPECT_EQ(normalized("DOTMULTI x"), ". x");
}

TEST(Normalizer, UnifiesQuotesAndDashes) {
  EXPECT_EQ(normalized("\u201cyes\u201d"), "\" yes \"");
  EXPECT_EQ(normalized("t-shirt"), "t shirt");
  EXPECT_EQ(normalized("yes \u2013 no"), "yes - no");
}

TEST(Normalizer, PadsOtherCharacters) {
  EXPECT_EQ(normalized("a\U0001f600b/c"), "a \U0001f600 b / c");
}

TEST(Normalizer, DropsAControlCharacterThatEndsTheLine) {
  EXPECT_EQ(normalized("a \x01"), "a");
}

TEST(Normalizer, TakesLinearTimeOnLongRunsOfDots) {
  EXPECT_EQ(normalized(std::string(200000, '.')).size(), 200000u);
}

}  // namespace
}  // namespace snellen::text::meteor
