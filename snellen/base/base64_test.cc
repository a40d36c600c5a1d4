// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/base64.h"

#include <gtest/gtest.h>

namespace snellen {
namespace {

// The vectors of RFC 4648, section 10.
TEST(Base64, WritesTheVectorsOfItsStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, WritesBytesAboveAscii) {
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(Base64, ReadsBackWhatItWrites) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    bytes += static_cast<char>(i * 37);
    EXPECT_EQ(from_base64(base64(bytes)).value(), bytes);
  }
}

TEST(Base64, RefusesOtherTexts) {
  for (const char* bad : {"Zg=", "Zg", "Z", "Zm 9", "Zm9v\n", "Z===", "=", "Zg==Zg=="})
    EXPECT_FALSE(from_base64(bad)) << bad;
}

TEST(Base64, MakesTheHashOfAContentSecurityPolicy) {
  EXPECT_EQ(base64(sha256_bytes("")), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

}  // namespace
}  // namespace snellen
