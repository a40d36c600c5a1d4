// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/english_words.h"

#include <gtest/gtest.h>

namespace snellen::text::meteor {
namespace {

TEST(EnglishWords, KnowsFunctionWordsAndMarks) {
  for (std::string_view word : {"the", "'s", "\u2019", "-rrb-", "years", "\u201d", "$"}) {
    EXPECT_TRUE(is_function_word(word)) << word;
  }
  EXPECT_FALSE(is_function_word("dog"));
  EXPECT_FALSE(is_function_word(""));
}

TEST(EnglishWords, KnowsPrefixesByCase) {
  for (std::u32string_view word : {U"Mr", U"X", U"vs", U"v", U"e.g", U"Adj"})
    EXPECT_TRUE(is_nonbreaking_prefix(word));
  for (std::u32string_view word : {U"mr", U"x", U"", U"dog"})
    EXPECT_FALSE(is_nonbreaking_prefix(word));
  EXPECT_TRUE(is_numeric_prefix(U"No"));
  EXPECT_FALSE(is_numeric_prefix(U"no"));
}

}  // namespace
}  // namespace snellen::text::meteor
