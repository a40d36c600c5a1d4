// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/fresh/pair_merges.h"

#include <gtest/gtest.h>

namespace snellen::training {
namespace {

using Merges = std::vector<std::pair<std::string, std::string>>;

TEST(PairMerges, TakesTheMostFrequentPairFirst) {
  // "ab" 5 times, "cb" 2 times: a+b, then c+b.
  EXPECT_EQ(learn_merges({{{"a", "b"}, 5}, {{"c", "b"}, 2}}, 10), (Merges{{"a", "b"}, {"c", "b"}}));
}

TEST(PairMerges, BuildsLongerSymbolsOfShorterOnes) {
  EXPECT_EQ(learn_merges({{{"a", "b", "c</w>"}, 1}}, 10), (Merges{{"a", "b"}, {"ab", "c</w>"}}));
}

TEST(PairMerges, StopsAtTheLimitAndAtNothingToMerge) {
  EXPECT_EQ(learn_merges({{{"a", "b", "c"}, 1}}, 1).size(), 1U);
  EXPECT_TRUE(learn_merges({{{"a"}, 9}}, 10).empty());
}

}  // namespace
}  // namespace snellen::training
