// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/table_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/annotations/tabular.h"

namespace snellen::annotations {
namespace {

std::filesystem::path written(const std::string& name, const std::string& text) {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
  write_text_file(path, text);
  return path;
}

// Both readers must see the same fields, in any order.
void expect_same_as_reader(const std::filesystem::path& path) {
  TableFile file(path);
  TableReader reader(path.string());
  EXPECT_EQ(file.format(), reader.format());
  TableRow want;
  size_t number = 0;
  for (; reader.next(want); ++number) {
    ASSERT_LT(number, file.size());
    TableRow got = file.row(number);
    EXPECT_EQ(got.failed(), want.failed());
    ASSERT_EQ(got.fields().size(), want.fields().size());
    for (size_t i = 0; i < got.fields().size(); ++i) {
      EXPECT_EQ(got.fields()[i].first, want.fields()[i].first);
      EXPECT_EQ(got.fields()[i].second.text, want.fields()[i].second.text);
    }
  }
  EXPECT_EQ(number, file.size());
}

TEST(TableFile, ReadsTheThreeFormatsAsTheStreamReaderDoes) {
  expect_same_as_reader(written("a.json", "[{\"id\": 1, \"x\": [1, 2]},\n {\"id\": NaN}, 7]"));
  expect_same_as_reader(written("a.jsonl", "{\"id\": 1}\n\n{\"id\": \"z\", \"b\": null}\nbad\n"));
  expect_same_as_reader(
      written("a.csv", "id,answer\r\n1,\"two\nlines, and a \"\"quote\"\"\"\n2,\n3,a,b\n"));
  expect_same_as_reader(written("a.tsv", "id\tanswer\n1\tx, y\n"));
  expect_same_as_reader(written("empty.csv", " \n"));
}

TEST(TableFile, NamesTheLineOfARecordBehindAQuotedLineEnd) {
  TableFile file(written("lines.csv", "id,answer\n1,\"a\nb\"\n2\n"));
  EXPECT_EQ(file.size(), 2U);
  TableRow row = file.row(1);
  ASSERT_TRUE(row.failed());
  EXPECT_THAT(row.error().what(), testing::HasSubstr("line 4"));
  EXPECT_THAT(row.error().what(), testing::HasSubstr("1 fields, the header has 2"));
}

TEST(TableFile, RefusesBrokenStructure) {
  EXPECT_THROW(TableFile(written("open.csv", "id,answer\n1,\"never closed\n")), Error);
  EXPECT_THROW(TableFile(written("open.json", "[{\"id\": 1}, {\"id\"")), Error);
  EXPECT_THROW(TableFile(written("twice.csv", "id,id\n1,2\n")), Error);
  EXPECT_THROW(TableFile(std::filesystem::path("/nowhere/answers.csv")), Error);
}

}  // namespace
}  // namespace snellen::annotations
