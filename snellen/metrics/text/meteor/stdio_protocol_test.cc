// SPDX-License-Identifier: Apache-2.0
// Expected answers were printed by the jar of pycocoevalcap 1.2.
#include "snellen/metrics/text/meteor/stdio_protocol.h"

#include <gtest/gtest.h>

namespace snellen::metrics::meteor {
namespace {

const std::string kStatistics =
    "4.0 2.0 3.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 1.0 3.0 1.0 1.0 4.0 2.0";

std::string answer(std::string_view line) {
  Meteor meteor(std::make_shared<text::meteor::MeteorData>());
  StdioProtocol protocol(meteor);
  std::string out;
  protocol.answer(line, out);
  return out;
}

TEST(StdioProtocol, AnswersScoreWithStatistics) {
  EXPECT_EQ(answer("SCORE ||| a ||| a"),
            "1.0 1.0 1.0 1.0 0.0 0.0 1.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 "
            "1.0 1.0\n");
  EXPECT_EQ(answer("SCORE|||a|||b|||c"),
            "1.0 1.0 0.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 "
            "0.0 0.0\n");
}

TEST(StdioProtocol, LooksOnlyAtTheStartForItsWords) {
  EXPECT_EQ(answer("score ||| a ||| a"), answer("SCOREX ||| a ||| a"));
  for (const char* line : {"", "Score ||| a ||| a", "  SCORE ||| a ||| b", "|||"}) {
    EXPECT_EQ(answer(line), "Error: specify SCORE or EVAL or SING\n") << line;
  }
}

TEST(StdioProtocol, TakesABlankHypothesisButNotAMissingOne) {
  EXPECT_EQ(answer("SCORE ||| a |||"), "Error: specify hypothesis and at least one reference\n");
  EXPECT_EQ(answer("SCORE"), "Error: specify hypothesis and at least one reference\n");
  EXPECT_EQ(answer("SCORE a ||| b"), "Error: specify hypothesis and at least one reference\n");
  EXPECT_EQ(answer("SCORE ||| a ||| "),
            "0.0 1.0 0.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 "
            "0.0 0.0\n");
}

TEST(StdioProtocol, AnswersEvalWithEachScoreAndTheirSum) {
  EXPECT_EQ(answer("EVAL ||| " + kStatistics), "0.6\n0.6\n");
  EXPECT_EQ(answer("eval ||| " + kStatistics + " ||| " + kStatistics), "0.6\n0.6\n0.6\n");
  EXPECT_EQ(answer("EVAL ||| " + kStatistics + " 7.0"), "0.6\n0.6\n");
}

TEST(StdioProtocol, AnswersSingWithOneScore) {
  EXPECT_EQ(answer("SING ||| " + kStatistics), "0.6\n");
  EXPECT_EQ(answer("SING ||| " + kStatistics + " ||| " + kStatistics),
            "Error: specify Meteor stats\n");
  EXPECT_EQ(answer("SING"), "Error: specify Meteor stats\n");
}

TEST(StdioProtocol, SurvivesStatisticsThatAreNone) {
  for (const char* line : {"EVAL", "EVAL |||", "EVAL ||| ", "EVAL ||| x", "SING ||| 1 2"}) {
    EXPECT_EQ(answer(line), "Error: specify Meteor stats\n") << line;
  }
}

}  // namespace
}  // namespace snellen::metrics::meteor
