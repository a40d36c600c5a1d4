// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/tabular.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

// The texts of column "a" of all good rows; a bad row gives its message.
std::vector<std::string> column_a(const std::string& bytes, TableOptions options = {}) {
  std::istringstream in(bytes);
  TableReader reader(in, "in", options);
  std::vector<std::string> all;
  for (TableRow row; reader.next(row);) {
    std::optional<std::string> text = row.failed() ? std::nullopt : row.text("a");
    all.push_back(row.failed() ? row.error().what() : text.value_or("(none)"));
  }
  return all;
}

TEST(Tabular, ReadsAnArrayLinesAndCsvAlike) {
  std::vector<std::string> want = {"x,\"y\"", "7"};
  EXPECT_EQ(column_a(R"( [ {"a":"x,\"y\"", "b":[1,{}]} ,
 {"a":7}] )"),
            want);
  EXPECT_EQ(column_a("{\"a\":\"x,\\\"y\\\"\"}\r\n\n{\"a\":7}"), want);
  EXPECT_EQ(column_a("\xEF\xBB\xBF"
                     "b,a\r\n1,\"x,\"\"y\"\"\"\r\n\r\n2,7\r\n"),
            want);
  EXPECT_EQ(column_a("a\tb\nx,\"y\"\t1\n7\t2"), want);
}

TEST(Tabular, CsvFieldsMayHoldLineEnds) {
  EXPECT_EQ(column_a("a,b\n\"one\ntwo\",1\nx\n"),
            (std::vector<std::string>{
                "one\ntwo", "in: line 4: has 1 fields, the header has 2 (fix the record)"}));
}

TEST(Tabular, ABadLineIsOneBadRecord) {
  std::vector<std::string> rows = column_a("{\"a\":1}\n{\"a\":\n{\"a\":3}\n[1]\n");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_THAT(rows[1], ::testing::HasSubstr("in: line 2"));
  EXPECT_EQ(rows[2], "3");
  EXPECT_THAT(rows[3], ::testing::HasSubstr("expected an object"));
}

TEST(Tabular, NamesTheEntryAndLineOfAnArray) {
  std::vector<std::string> rows = column_a("[{\"a\":1},\n\n{\"a\":tru}]");
  EXPECT_THAT(rows[1], ::testing::HasSubstr("in: entry 1 (line 3)"));
}

TEST(Tabular, ReadsPythonsNaNAsNull) {
  EXPECT_EQ(column_a("{\"a\":NaN,\"b\":\"NaN\"}\n{\"b\":-Infinity, \"a\":\"\\\"NaN\"}"),
            (std::vector<std::string>{"(none)", "\"NaN"}));
}

TEST(Tabular, BrokenStructureStops) {
  EXPECT_THROW(column_a("[{\"a\":1}"), Error);
  EXPECT_THROW(column_a("[{\"a\":1} {\"a\":1}]"), Error);
  EXPECT_THROW(column_a("[{\"a\":1},]"), Error);
  EXPECT_THROW(column_a("[{\"a\":1}] x"), Error);
  EXPECT_THROW(column_a("a,b\n\"x"), Error);
  EXPECT_THROW(column_a("a,a\n1,2"), Error);
  EXPECT_THROW(column_a("[" + std::string(300, '[')), Error);
  EXPECT_THROW(column_a("{\"a\":\"" + std::string(100, 'x') + "\"}", {.max_record_bytes = 50}),
               Error);
  EXPECT_THROW(TableReader("/does/not/exist"), Error);
}

TEST(Tabular, EmptyInputHasNoRows) {
  EXPECT_TRUE(column_a("").empty());
  EXPECT_TRUE(column_a("[]").empty());
  EXPECT_TRUE(column_a("a,b\n").empty());
}

TEST(Tabular, ReadsListsNumbersAndNothing) {
  std::istringstream in("list,bars,n,none\n\"[\"\"Yes\"\", \"\"No, never\"\"]\",a | b,1.0,\n");
  TableReader reader(in, "in");
  TableRow row;
  ASSERT_TRUE(reader.next(row));
  EXPECT_EQ(row.texts("list"), (std::vector<std::string>{"Yes", "No, never"}));
  EXPECT_EQ(row.texts("bars"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(row.integer("n"), 1);
  EXPECT_EQ(row.number("none"), std::nullopt);
  EXPECT_FALSE(row.failed());
  EXPECT_EQ(row.integer("bars"), std::nullopt);
  EXPECT_TRUE(row.failed());
}

}  // namespace
}  // namespace snellen::annotations
