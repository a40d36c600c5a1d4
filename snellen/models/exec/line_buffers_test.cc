// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/exec/line_buffers.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::models::exec {
namespace {

using testing::ElementsAre;

TEST(AnswerLines, JoinsPiecesAndSplitsLines) {
  AnswerLines lines(100);
  lines.add("a");
  EXPECT_FALSE(lines.next());
  lines.add("b\r\n\ncd");
  EXPECT_EQ(lines.next(), "ab");
  EXPECT_EQ(lines.next(), "");
  EXPECT_FALSE(lines.next());
}

TEST(AnswerLines, SaysWhenALineIsTooLong) {
  AnswerLines lines(3);
  lines.add("abc");
  EXPECT_FALSE(lines.is_too_long());
  lines.add("d\n");
  EXPECT_TRUE(lines.is_too_long());
}

std::vector<std::string> shown(std::vector<std::string_view> pieces) {
  std::vector<std::string> all;
  StderrLines lines([&](std::string_view line) { all.emplace_back(line); });
  for (std::string_view piece : pieces) lines.add(piece);
  lines.finish();
  return all;
}

TEST(StderrLines, ShowsOfADrawnLineWhatStoodThereLast) {
  EXPECT_THAT(shown({"10 %\r50", " %\r100 %\r\n\ndone"}), ElementsAre("100 %", "done"));
}

TEST(StderrLines, LeavesControlCharactersAndLongLinesOut) {
  EXPECT_THAT(shown({"a\x1b[2J\tb\n"}), ElementsAre("a?[2J\tb"));
  EXPECT_EQ(shown({std::string(5000, 'x')}).front().size(), 1000U);
}

TEST(StderrLines, ShowsABoundedNumberOfLines) {
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "x\n";
  EXPECT_EQ(shown({many}).size(), 2001U);
}

}  // namespace
}  // namespace snellen::models::exec
