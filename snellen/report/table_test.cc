// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/table.h"

#include <gtest/gtest.h>

namespace snellen::report {
namespace {

Table two_rows() {
  Table table({{"metric"}, {"value", true}});
  table.add({"text", "0.5"});
  table.add({"größe|x", "12.25"});
  return table;
}

TEST(Table, AlignsNumbersRightAndCountsCodePoints) {
  EXPECT_EQ(two_rows().as_text(),
            "metric   value\n"
            "-------  -----\n"
            "text       0.5\n"
            "größe|x  12.25\n");
}

TEST(Table, EscapesForMarkdownAndCsv) {
  EXPECT_NE(two_rows().as_markdown().find("größe\\|x"), std::string::npos);
  Table table({{"a"}});
  table.add({"x,\"y\""});
  EXPECT_EQ(table.as_csv(), "a\n\"x,\"\"y\"\"\"\n");
}

TEST(Table, LeavesNoLinkImageOrTagInMarkdown) {
  Table table({{"a"}});
  table.add({"![x](http://y) <b>&amp;"});
  EXPECT_NE(table.as_markdown().find("!\\[x\\](http://y) \\<b\\>\\&amp;"), std::string::npos);
}

TEST(Table, ReplacesControlCharacters) {
  Table table({{"a"}});
  table.add({"x\x1b[2Jy"});
  EXPECT_EQ(table.as_csv(), "a\nx [2Jy\n");
}

}  // namespace
}  // namespace snellen::report
