// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/characters.h"

#include <gmock/gmock.h>

namespace snellen::text {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Characters, SplitOnEveryWhiteSpaceThatPythonKnows) {
  EXPECT_THAT(split_words(" a\tb\x1c"
                          "c\u00a0d\u3000e\u2028 "),
              ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(split_words(" \n"), IsEmpty());
  EXPECT_THAT(split_words("\u200b"),
              ElementsAre("\u200b"));  // a zero-width space is no white space
}

TEST(Characters, ReadIllFormedBytesAsReplacement) {
  EXPECT_EQ(decode_at("\xff"
                      "a",
                      0)
                .value,
            0xFFFDu);
  EXPECT_EQ(decode_at("\xff"
                      "a",
                      0)
                .size,
            1u);
  EXPECT_EQ(decode_before("a\xe2\x80", 3).value, 0xFFFDu);
  EXPECT_EQ(decode_before("a\u2019", 4).value, 0x2019u);
}

TEST(Characters, KnowWordAndDigitCharactersOfOtherScripts) {
  EXPECT_TRUE(is_word(U'é') && is_word(U'½') && is_word(U'_') && is_word(U'日'));
  EXPECT_FALSE(is_word(U'’') || is_word(U'-'));
  EXPECT_TRUE(is_digit(U'٣'));
  EXPECT_FALSE(is_digit(U'²'));
  EXPECT_EQ(digit_value(U'٣'), 3);
}

TEST(Characters, LowerWholeTexts) {
  EXPECT_EQ(lower("ABC É"), "abc é");
  EXPECT_EQ(lower("ΟΔΟΣ"), "οδος");  // final sigma
}

TEST(Characters, CallOnlyWhiteSpaceBlank) {
  EXPECT_TRUE(is_blank(""));
  EXPECT_TRUE(is_blank(" \t\u00a0"));
  EXPECT_FALSE(is_blank(" x"));
}

}  // namespace
}  // namespace snellen::text
