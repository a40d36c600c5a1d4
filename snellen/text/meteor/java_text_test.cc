// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/java_text.h"

#include <limits>

#include <gtest/gtest.h>

namespace snellen::text::meteor {
namespace {

std::u32string decoded(std::string_view bytes) {
  std::u32string out;
  decode_java_utf8(bytes, out);
  return out;
}

std::string printed(double x) {
  std::string out;
  append_java_double(out, x);
  return out;
}

TEST(JavaText, DecodesAllSequenceLengths) {
  EXPECT_EQ(decoded("a\u00e9\u4e2d\U0001f600"), U"a\u00e9\u4e2d\U0001f600");
}

TEST(JavaText, ReplacesIllFormedPiecesAsJavaDoes) {
  EXPECT_EQ(decoded("\x80z"), U"\ufffdz");
  EXPECT_EQ(decoded("\xC3z"), U"\ufffdz");
  EXPECT_EQ(decoded("\xE2\x82z"), U"\ufffdz");      // two bytes of three: one piece
  EXPECT_EQ(decoded("\xED\xA0\x80z"), U"\ufffdz");  // an encoded surrogate: one piece
  EXPECT_EQ(decoded("\xF0\x9F\x98z"), U"\ufffdz");
  EXPECT_EQ(decoded("\xF8z"), U"\ufffdz");
  EXPECT_EQ(decoded("\xE2"), U"\ufffd");
}

TEST(JavaText, HashesUtf16Units) {
  EXPECT_EQ(java_hash(""), 0u);
  EXPECT_EQ(java_hash("ab"), 31u * 97 + 98);
  EXPECT_EQ(java_hash("\U0001f600"), 31u * 0xD83D + 0xDE00);
}

TEST(JavaText, ShortTokensCollideAsInJava) {
  EXPECT_EQ(java_hash("5n"), java_hash("70"));
}

TEST(JavaText, TrimsControlCharactersToo) {
  EXPECT_EQ(java_trim("\x01 \ta b\x1f "), "a b");
}

TEST(JavaText, LowersWholeStrings) {
  std::string out;
  lower_case(U"\u039f\u03a3 A", out);
  EXPECT_EQ(out, "\u03bf\u03c2 a");  // a final sigma
  lower_case(U"ABC 1", out);
  EXPECT_EQ(out, "abc 1");
}

TEST(JavaText, PrintsDoublesAsJavaDoes) {
  EXPECT_EQ(printed(4), "4.0");
  EXPECT_EQ(printed(0), "0.0");
  EXPECT_EQ(printed(-0.5), "-0.5");
  EXPECT_EQ(printed(0.7597989949748742), "0.7597989949748742");
  EXPECT_EQ(printed(0.001), "0.001");
  EXPECT_EQ(printed(0.0005), "5.0E-4");
  EXPECT_EQ(printed(9999999), "9999999.0");
  EXPECT_EQ(printed(1e7), "1.0E7");
  EXPECT_EQ(printed(1.25e-10), "1.25E-10");
  EXPECT_EQ(printed(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(printed(-std::numeric_limits<double>::infinity()), "-Infinity");
}

}  // namespace
}  // namespace snellen::text::meteor
