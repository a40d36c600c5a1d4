// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/csv.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::formats {
namespace {

using Fields = std::vector<std::string>;

TEST(Csv, ReadsQuotedFieldsAndPassesOverBlankLines) {
  auto rows = parse_csv(
      "\xEF\xBB\xBF"
      "class,prompt\r\n\r\n \t \n\"a, b\",\"say \"\"x\"\"\ny\"\nlast,\n\"\"\n",
      "f");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1], (Fields{"a, b", "say \"x\"\ny"}));
  EXPECT_EQ(rows[2], (Fields{"last", ""}));
}

TEST(Csv, TakesAQuoteInsideAFieldAsItIs) {
  auto rows = parse_csv("5\" disk,\"a\"b\nx,y", "f");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], (Fields{"5\" disk", "ab"}));
}

TEST(Csv, RefusesAQuoteThatNeverCloses) {
  EXPECT_THROW(parse_csv("a,\"b\n", "f"), Error);
}

TEST(Csv, FindsTheDelimiterOfAHeaderOutsideOfQuotes) {
  EXPECT_EQ(csv_delimiter("a,b"), ',');
  EXPECT_EQ(csv_delimiter("a\tb"), '\t');
  EXPECT_EQ(csv_delimiter("\"a,x\"\tb"), '\t');
  EXPECT_EQ(csv_delimiter("a\tb,c"), ',');
  EXPECT_EQ(split_csv("\"a,x\"\t\"b\tc\"\r\n", '\t'), (Fields{"a,x", "b\tc"}));
}

TEST(Csv, WritesFieldsThatReadBack) {
  const Fields fields = {"plain", "a, b", "say \"x\"", "two\nlines", ""};
  std::string row;
  for (const std::string& field : fields) row += (row.empty() ? "" : ",") + csv_field(field);
  EXPECT_EQ(parse_csv(row + "\n", "f"), std::vector<Fields>{fields});
}

}  // namespace
}  // namespace snellen::formats
