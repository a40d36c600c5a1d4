// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/words/treebank.h"

#include <gmock/gmock.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string old_trip(std::string_view text) {
  return treebank_round_trip(text, Treebank::kNltk34);
}
std::string new_trip(std::string_view text) {
  return treebank_round_trip(text, Treebank::kModern);
}

TEST(Treebank, SplitsCliticsAndContractions) {
  EXPECT_THAT(treebank_tokens("no, i can't", Treebank::kNltk34),
              ElementsAre("no", ",", "i", "ca", "n't"));
  EXPECT_THAT(treebank_tokens("I CANNOT, 'tis gonna", Treebank::kNltk34),
              ElementsAre("I", "CAN", "NOT", ",", "'t", "is", "gon", "na"));
  EXPECT_THAT(treebank_tokens("more'n 'twas", Treebank::kNltk34),
              ElementsAre("more", "'", "n", "'t", "was"));
  EXPECT_THAT(treebank_tokens("more'n 'twas", Treebank::kModern),
              ElementsAre("more", "'n", "'t", "was"));
}

TEST(Treebank, SplitsOnlyTheLastPeriod) {
  EXPECT_THAT(treebank_tokens("the u.s. flag.\")", Treebank::kNltk34),
              ElementsAre("the", "u.s.", "flag", ".", "''", ")"));
  EXPECT_THAT(treebank_tokens(".", Treebank::kNltk34), ElementsAre("."));
}

TEST(Treebank, TreatsADigitAfterACommaAsPartOfTheNumber) {
  EXPECT_THAT(treebank_tokens("2,500 yes,no,", Treebank::kNltk34),
              ElementsAre("2,500", "yes", ",", "no", ","));
}

TEST(Treebank, GivesNoTokensForBlankTexts) {
  EXPECT_THAT(treebank_tokens(" \t", Treebank::kNltk34), IsEmpty());
  EXPECT_EQ(old_trip(" "), "");
}

TEST(Treebank, RoundTripKeepsTheOdditiesOfTheOlderRelease) {
  EXPECT_EQ(old_trip("can't"), "ca n't");
  EXPECT_EQ(old_trip("no, 2 dogs"), "no , 2 dogs");
  EXPECT_EQ(old_trip("can not"), "cannot");
  EXPECT_EQ(old_trip("\"yes\" he said"), "\\\" yes\"he said");
  EXPECT_EQ(old_trip("no. i see"), "no . i see");
  EXPECT_EQ(old_trip("i wanna go"), "i wannago");
}

TEST(Treebank, RoundTripOfTheNewerReleaseMendsMostOfThem) {
  EXPECT_EQ(new_trip("can't"), "can't");
  EXPECT_EQ(new_trip("no, 2 dogs"), "no, 2 dogs");
  EXPECT_EQ(new_trip("\"yes\" he said"), "\"yes\" he said");
  EXPECT_EQ(new_trip("i wanna go"), "i wanna go");
}

TEST(Treebank, PreparesGenerationsByName) {
  EXPECT_EQ(prepare_generation("can't", preprocess_of("none")), "can't");
  EXPECT_EQ(prepare_generation("  ", Preprocess::kNone), "");
  EXPECT_EQ(prepare_generation("can't", preprocess_of("nltk34")), "ca n't");
  EXPECT_EQ(name_of(Preprocess::kModern), "modern");
  EXPECT_THROW(preprocess_of("spacy"), Error);
}

}  // namespace
}  // namespace snellen::text
