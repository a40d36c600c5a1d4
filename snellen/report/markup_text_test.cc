// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/markup_text.h"

#include <gtest/gtest.h>

namespace snellen::report {
namespace {

TEST(MarkdownText, MakesNothingButTextOfIt) {
  EXPECT_EQ(markdown_text("![x](http:y) <script> `a`"), "!\\[x\\](http:y) \\<script\\> \\`a\\`");
  EXPECT_EQ(markdown_text("a\n\n# b\r\n> c"), "a  # b  \\> c");
  EXPECT_EQ(markdown_text("# heading"), "\\# heading");
  EXPECT_EQ(markdown_text("- item"), "\\- item");
  EXPECT_EQ(markdown_text("12. item"), "12\\. item");
  EXPECT_EQ(markdown_text("> quote"), "\\> quote");
  EXPECT_EQ(markdown_text("12 items"), "12 items");
  EXPECT_EQ(markdown_text("95 % intervals"), "95 % intervals");
}

TEST(MarkdownCell, HidesNoDirection) {
  EXPECT_EQ(markdown_cell("a|b"), "a\\|b");
  EXPECT_EQ(markdown_cell("right\u202Eleft"), "right left");
  EXPECT_EQ(markdown_cell("\x1B[31mred\xFF"), " \\[31mred\uFFFD");
}

TEST(LatexText, RunsNoCommand) {
  EXPECT_EQ(latex_text("\\input{/etc/passwd}"), "\\textbackslash{}input\\{/etc/passwd\\}");
  EXPECT_EQ(latex_text("100 % $x_1$ #&~^"),
            "100 \\% \\$x\\_1\\$ \\#\\&\\textasciitilde{}\\textasciicircum{}");
  // A comment ends with its line.
  EXPECT_EQ(latex_text("title\n\\input{x}"), "title \\textbackslash{}input\\{x\\}");
}

}  // namespace
}  // namespace snellen::report
