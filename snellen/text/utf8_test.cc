// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/utf8.h"

#include <gtest/gtest.h>

namespace snellen::text {
namespace {

std::string replaced(std::string_view bytes) {
  std::string storage;
  return std::string(replace_ill_formed(bytes, storage));
}

constexpr const char* kMark = "\xEF\xBF\xBD";

TEST(Utf8, LeavesWellFormedTextWhereItIs) {
  std::string text = "caf\u00E9 \u4E2D \U0001F600";
  std::string storage;
  EXPECT_EQ(replace_ill_formed(text, storage).data(), text.data());
}

TEST(Utf8, ReplacesOneMarkForEachMaximalSubpart) {
  // Python: b'a\xe2\x82b'.decode('utf-8','replace') == 'a\ufffdb'
  EXPECT_EQ(replaced("a\xE2\x82"
                     "b"),
            std::string("a") + kMark + "b");
  // A surrogate's three bytes are three marks, an overlong pair two.
  EXPECT_EQ(replaced("\xED\xA0\x80"), std::string(kMark) + kMark + kMark);
  EXPECT_EQ(replaced("\xC0\xAF"), std::string(kMark) + kMark);
  EXPECT_EQ(replaced("\xF0\x9F\x98"), kMark);
  EXPECT_EQ(replaced("\xF4\x90\x80\x80"), std::string(kMark) + kMark + kMark + kMark);
}

TEST(Utf8, WritesWhatItReads) {
  for (char32_t c : {U'a', U'\u00E9', U'\u4E2D', U'\U0010FFFF'}) {
    std::string text;
    append_utf8(text, c);
    EXPECT_EQ(decode_at(text, 0).value, c);
    EXPECT_EQ(decode_at(text, 0).size, text.size());
  }
}

}  // namespace
}  // namespace snellen::text
