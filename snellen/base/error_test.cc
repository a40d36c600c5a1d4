// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/error.h"

#include <gtest/gtest.h>

namespace snellen {
namespace {

TEST(Error, SaysWhereWhatAndWhatToDoInOneLine) {
  Error error{ErrorCode::kInvalidInput,
              "caption group has 3 captions,\nexpected 2",
              "a.json: record 7",
              "fix it"};
  EXPECT_STREQ(error.what(), "a.json: record 7: caption group has 3 captions, expected 2 (fix it)");
}

TEST(Error, SteersNoTerminal) {
  Error error{ErrorCode::kInvalidInput, "no tensor \x1b[2J\xC2\x9b, caf\xC3\xA9 \xE2\x82\x80"};
  EXPECT_STREQ(error.what(), "no tensor ?[2J??, caf\xC3\xA9 \xE2\x82\x80");
}

TEST(Error, GainsContextOnTheWayUp) {
  Error error{ErrorCode::kNotFound, "no such file", "a.json"};
  EXPECT_EQ(error.within("probe-c").where(), "probe-c: a.json");
  EXPECT_EQ(error.within("probe-c").code(), ErrorCode::kNotFound);
}

TEST(Error, NamesReadBack) {
  EXPECT_EQ(error_code_of(name_of(ErrorCode::kBusy)), ErrorCode::kBusy);
  EXPECT_EQ(error_code_of("nonsense"), ErrorCode::kInternal);
}

TEST(Result, HoldsAValueOrThrowsItsError) {
  Result<int> good = 3;
  EXPECT_EQ(*good, 3);
  Result<int> bad = Error{ErrorCode::kIo, "gone"};
  EXPECT_FALSE(bad);
  EXPECT_THROW(bad.value(), Error);
}

TEST(Check, NamesTheConditionAndTheLine) {
  try {
    SNELLEN_CHECK(1 + 1 == 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInternal);
    EXPECT_NE(error.message().find("1 + 1 == 3"), std::string::npos);
  }
}

}  // namespace
}  // namespace snellen
