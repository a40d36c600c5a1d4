// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/words/number_words.h"

#include <gtest/gtest.h>

namespace snellen::text {
namespace {

TEST(NumberWords, JoinUnitsBelowAHundredWithAnd) {
  EXPECT_EQ(number_words("1001"), "one thousand and one");
  EXPECT_EQ(number_words("1234"), "one thousand, two hundred and thirty-four");
  EXPECT_EQ(number_words("1050000"), "one million, fifty thousand");
  EXPECT_EQ(number_words("12000045"), "twelve million and forty-five");
}

TEST(NumberWords, IgnoreLeadingZeros) {
  EXPECT_EQ(number_words("007"), "seven");
  EXPECT_EQ(number_words("000"), "zero");
}

TEST(NumberWords, ReadOutNumbersThatHaveNoName) {
  EXPECT_EQ(number_words("1" + std::string(35, '0')), "one hundred decillion");
  EXPECT_EQ(number_words("12" + std::string(35, '0')).substr(0, 12), "one two zero");
}

TEST(NumberWords, ReplaceOnlyDigitRuns) {
  EXPECT_EQ(replace_numbers("a t-shirt, 25 or 2,500"),
            "a t-shirt, twenty five or two,five hundred");
  EXPECT_EQ(replace_numbers("v1.5"), "vone.five");
  EXPECT_EQ(replace_numbers("٣ dogs"), "three dogs");
  EXPECT_EQ(replace_numbers(""), "");
}

}  // namespace
}  // namespace snellen::text
