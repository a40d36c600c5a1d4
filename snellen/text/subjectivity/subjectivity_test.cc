// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/subjectivity/subjectivity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/text/subjectivity/pattern_tokens.h"

namespace snellen::text {
namespace {

using testing::ElementsAre;

constexpr std::string_view kLexicon = R"(<?xml version="1.0"?>
<!-- <word form="ghost" pos="JJ" subjectivity="1.0" /> -->
<sentiment language="en">
<word form="good" pos="JJ" polarity="0.7" subjectivity="0.5" intensity="1.0" />
<word form="good" pos="JJ" polarity="0.7" subjectivity="0.7" intensity="1.0" />
<word form="bad" pos="JJ" subjectivity="0.4" intensity="1.0" />
<word form="bad" pos="NN" subjectivity="0.2" intensity="1.0" />
<word form="very" pos="RB" subjectivity="0.3" intensity="1.5" />
<word form="terrible" pos="JJ" subjectivity="1.0" intensity="1.0" />
</sentiment>)";

double score(std::string_view text) {
  return Subjectivity::from_xml(kLexicon, "lexicon").score(text);
}

TEST(Subjectivity, IsTheMeanOverKnownWords) {
  EXPECT_DOUBLE_EQ(score("A good day."), 0.6);
  EXPECT_DOUBLE_EQ(score("Good, bad"), (0.6 + 0.3) / 2);  // bad: the mean over both parts of speech
  EXPECT_EQ(score("ghost stories"), 0);
  EXPECT_EQ(score(""), 0);
}

TEST(Subjectivity, ModifiersScaleTheWordBehindThem) {
  EXPECT_DOUBLE_EQ(score("very good"), 0.6 * 1.5);
  EXPECT_DOUBLE_EQ(score("very strange good"), (0.3 + 0.6) / 2);
  EXPECT_DOUBLE_EQ(score("terribly good"), 0.6);  // the adverb of an adjective
}

TEST(Subjectivity, EmoticonsAndIronyAreSubjective) {
  EXPECT_DOUBLE_EQ(score("ok :)"), 1);
  EXPECT_DOUBLE_EQ(score("ok (!)"), 1);
}

TEST(Subjectivity, RefusesOtherFiles) {
  EXPECT_THROW(Subjectivity::from_xml("good\t1.9", "x"), Error);
  EXPECT_THROW(Subjectivity::from_xml(R"(<word form="a" subjectivity="x" />)", "x"), Error);
}

TEST(PatternWords, SplitsPunctuationAndKeepsAbbreviations) {
  EXPECT_THAT(
      pattern_words("Mr. Smith (of U.S. origin) left... Why?"),
      ElementsAre("mr.", "smith", "(", "of", "u.s.", "origin", ")", "left", "...", "why", "?"));
  EXPECT_THAT(pattern_words("don't\n\ngo :-)"), ElementsAre("do", "n", "'", "t", "go", ":-)"));
}

}  // namespace
}  // namespace snellen::text
