// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/gruen.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

int flags(std::vector<std::string> sentences) {
  return gruen_redundancy(sentences).flags;
}

TEST(GruenGrammaticality, IsNeverNegative) {
  EXPECT_DOUBLE_EQ(gruen_grammaticality(1000, 0), 0.5);
  EXPECT_DOUBLE_EQ(gruen_grammaticality(0, 0), 0.625);
  EXPECT_DOUBLE_EQ(gruen_grammaticality(1000, -9), 0.0);
  EXPECT_DOUBLE_EQ(gruen_grammaticality(1000, 8), 1.5);
}

TEST(GruenRedundancy, CountsFourWhereOneHoldsTheOther) {
  EXPECT_EQ(flags({"a cat", "a cat"}), 4);
  EXPECT_EQ(flags({"a cat sits", " cat "}), 4);
  EXPECT_DOUBLE_EQ(gruen_redundancy(std::vector<std::string>{"a", "a"}).score, -0.4);
}

TEST(GruenRedundancy, CountsNothingInShortSentences) {
  EXPECT_EQ(flags({"a cat sits here", "a cat sits there"}), 0);
}

TEST(GruenRedundancy, CountsSmallEditsAndCommonWords) {
  // One word of ten differs: a small distance and nine common words, but no long common run.
  EXPECT_EQ(flags({"The man in the blue shirt left the hospital room.",
                   "The man in the blue shirt paced the hospital room."}),
            2);
  // The same but for the last letter: everything.
  EXPECT_EQ(flags({"one two three four five six sevena", "one two three four five six sevenb"}), 4);
}

TEST(GruenRedundancy, SumsOverAllPairs) {
  EXPECT_EQ(flags({"x", "x", "x"}), 12);
  EXPECT_EQ(flags({"x"}), 0);
  EXPECT_EQ(flags({}), 0);
}

TEST(GruenRedundancy, RefusesWhatTakesTooLong) {
  EXPECT_THROW(flags({std::string(10'001, 'x'), "y"}), Error);
}

}  // namespace
}  // namespace snellen::metrics
