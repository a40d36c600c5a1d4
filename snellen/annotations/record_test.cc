// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/record.h"

#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

TEST(Record, ReadsIdsAsTextOrNumber) {
  Record record(R"({"a": "42", "b": 371046})", "f: record 0");
  EXPECT_EQ(record.id("a"), "42");
  EXPECT_EQ(record.id("b"), "371046");
  EXPECT_FALSE(record.failed());
}

TEST(Record, KeepsTheFirstThingThatIsWrong) {
  Record record(R"({"a": 1})", "f: record 3");
  record.text("a");
  record.text("missing");
  ASSERT_TRUE(record.failed());
  EXPECT_EQ(record.error().message(), "'a' is a number, expected a text");
  EXPECT_EQ(record.error().where(), "f: record 3");
}

TEST(Record, NamesAMissingKey) {
  Record record("{}", "f");
  EXPECT_TRUE(record.numbers("scores").empty());
  EXPECT_EQ(record.error().message(), "key 'scores' is missing");
}

TEST(Record, NamesNanWhichPythonWrites) {
  Record record(R"({"text": "a \"NaN", "scores": [1.0, NaN, -Infinity]})", "f: line 2");
  EXPECT_EQ(record.text("text"), "a \"NaN");
  EXPECT_FALSE(record.failed());
  record.numbers("scores");
  EXPECT_NE(record.error().message().find("NaN"), std::string::npos);
}

TEST(Record, RefusesAnIdThatCouldBeAPath) {
  Record record(R"({"a": "../../etc/passwd"})", "f");
  record.id("a");
  EXPECT_TRUE(record.failed());
}

TEST(Record, ChecksTheShapeOfAMatrix) {
  Record good(R"({"m": [[1, 2], [3, 4]]})", "f");
  EXPECT_EQ(good.rows("m", 2)[1][0], 3.0);
  Record bad(R"({"m": [[1, 2], [3]]})", "f");
  bad.rows("m", 2);
  EXPECT_EQ(bad.error().message(), "'m' row 1 has 1 numbers, expected 2");
}

}  // namespace
}  // namespace snellen::annotations
