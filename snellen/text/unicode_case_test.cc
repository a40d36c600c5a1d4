// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/unicode_case.h"

#include <gtest/gtest.h>

namespace snellen::text {
namespace {

TEST(UnicodeCase, LowersWhatPythonLowers) {
  EXPECT_EQ(lowered("ABC xyz"), "abc xyz");
  EXPECT_EQ(lowered("\xE2\x84\xAA"
                    "IND"),
            "kind");                                           // the Kelvin sign is a k
  EXPECT_EQ(lowered("\xC4\xB0"), "i\xCC\x87");                 // dotted capital I
  EXPECT_EQ(lowered("\xCE\x9F\xCE\xA3"), "\xCE\xBF\xCF\x82");  // a final sigma
  EXPECT_EQ(lowered("\xFF"
                    "A"),
            "\xFF"
            "a");  // ill-formed bytes stay
}

TEST(UnicodeCase, UpperNeedsACasedCharacterAndNoLowerOne) {
  EXPECT_TRUE(is_upper("OK!"));
  EXPECT_FALSE(is_upper("!!"));
  EXPECT_FALSE(is_upper("Ok"));
  EXPECT_TRUE(is_upper("\xC3\x89"));    // E with acute
  EXPECT_FALSE(is_upper("A\xC7\x85"));  // a title-case letter
}

TEST(UnicodeCase, TrimsUnicodeSpace) {
  EXPECT_EQ(trimmed("\xC2\xA0 a b\xE3\x80\x80\n"), "a b");
  EXPECT_EQ(trimmed(" \x1C\t"), "");
  EXPECT_EQ(trimmed("\x80"), "\x80");
}

TEST(UnicodeCase, CountsIllFormedBytesAsCharacters) {
  EXPECT_EQ(num_characters("a\xC3\xA9\xF0\x9F\x98\x80"), 3u);
  EXPECT_EQ(num_characters("\xF0\x9F"), 2u);
}

}  // namespace
}  // namespace snellen::text
