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

TEST(Table, GoesOnInTheNextLineWhereItIsTooWide) {
  Table table({{"metric"}, {"value", true}, {"note"}});
  table.add({"task/part/metric", "0.5", "three words here and more"});
  EXPECT_EQ(table.as_text(34),
            "metric        value  note\n"
            "------------  -----  -------------\n"
            "task/part/      0.5  three words\n"
            "metric               here and more\n");
}

TEST(Table, CutsNoWordWhereTheOthersCanGiveWay) {
  Table table({{"says"}, {"word"}});
  table.add({"one two three four five six", "microseconds"});
  EXPECT_EQ(table.as_text(24),
            "says        word\n"
            "----------  ------------\n"
            "one two     microseconds\n"
            "three four\n"
            "five six\n");
}

TEST(Table, BreaksWhatStandsAboveNumbers) {
  Table table({{"m"}, {"a long heading", true}});
  table.add({"x", "0.5 [0.4, 0.6]"});
  table.add({"y", "1"});
  EXPECT_EQ(table.as_text(17), table.as_text());
  Table narrow({{"m"}, {"a long heading", true}});
  narrow.add({"x", "0.5"});
  EXPECT_EQ(narrow.as_text(10),
            "m   a long\n"
            "   heading\n"
            "-  -------\n"
            "x      0.5\n");
}

TEST(Table, GoesOnBelowWithItsFirstColumn) {
  Table table({{"model"}, {"first", true}, {"second", true}, {"third", true}});
  table.add({"clip", "83.7 [80.1, 86.9]", "50.0 [40.0, 60.0]", "12.5 [10.0, 15.0]"});
  EXPECT_EQ(table.as_text(50),
            "model              first             second\n"
            "-----  -----------------  -----------------\n"
            "clip   83.7 [80.1, 86.9]  50.0 [40.0, 60.0]\n"
            "\n"
            "model              third\n"
            "-----  -----------------\n"
            "clip   12.5 [10.0, 15.0]\n");
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
