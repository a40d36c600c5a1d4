// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/run_ranks.h"

#include <gtest/gtest.h>

namespace snellen::report {
namespace {

PairDecision pair_of(size_t first, size_t second, double difference, double p) {
  PairDecision pair{.first = first, .second = second};
  pair.row.n = 100;
  pair.row.first = 0.5;
  pair.row.second = 0.5 + difference;
  pair.row.difference = difference;
  pair.row.p = p;
  return pair;
}

TEST(RankRuns, PlacesRunsBetweenThoseFoundBetterAndThoseFoundWorse) {
  // B is clearly above A and C; A and C cannot be told apart.
  std::vector<RankRow> ranks =
      rank_runs("t",
                3,
                {pair_of(0, 1, 0.3, 0.001), pair_of(0, 2, 0.01, 0.8), pair_of(1, 2, -0.29, 0.002)},
                0.05);
  ASSERT_EQ(ranks.size(), 3U);
  EXPECT_EQ(ranks[0].rank, 3U);
  EXPECT_EQ(ranks[0].low, 2U);
  EXPECT_EQ(ranks[0].high, 3U);
  EXPECT_EQ(ranks[1].rank, 1U);
  EXPECT_EQ(ranks[1].low, 1U);
  EXPECT_EQ(ranks[1].high, 1U);
  EXPECT_EQ(ranks[2].rank, 2U);
  EXPECT_EQ(ranks[2].low, 2U);
  EXPECT_EQ(ranks[2].high, 3U);
}

TEST(RankRuns, AdjustsOverAllPairs) {
  // Each p alone is below 0.05; three times the least is not.
  std::vector<RankRow> ranks = rank_runs(
      "t", 3, {pair_of(0, 1, 0.1, 0.02), pair_of(0, 2, 0.1, 0.03), pair_of(1, 2, 0.0, 1.0)}, 0.05);
  for (const RankRow& one : ranks) {
    EXPECT_EQ(one.low, 1U);
    EXPECT_EQ(one.high, 3U);
  }
}

TEST(RankRuns, LeavesOutRunsWithoutTheTask) {
  std::vector<RankRow> ranks = rank_runs("t", 3, {pair_of(0, 2, 0.2, 0.001)}, 0.05);
  ASSERT_EQ(ranks.size(), 2U);
  EXPECT_EQ(ranks[1].run, 2U);
  EXPECT_EQ(ranks[1].high, 1U);
  EXPECT_EQ(ranks[0].low, 2U);
}

}  // namespace
}  // namespace snellen::report
