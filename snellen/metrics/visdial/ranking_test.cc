// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/visdial/ranking.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::metrics::visdial {
namespace {

using Ranks = std::vector<uint32_t>;

TEST(Ranking, GivesTheLowerIndexTheBetterRankAmongEqualScores) {
  EXPECT_EQ(ranks_of(std::vector<double>{0.5, 0.9, 0.5, 0.1}), (Ranks{2, 1, 3, 4}));
}

TEST(Ranking, CountsTheCutoffItselfAsFound) {
  const RankValues fifth = rank_values(5);
  EXPECT_EQ(fifth.recalls, (std::array<double, 3>{0, 1, 1}));
  EXPECT_EQ(fifth.reciprocal, 0.2);
}

TEST(Ndcg, DividesByTheBestOrder) {
  // The relevant candidates stand at ranks 2 and 3, two are relevant: (0 + 0.4/log2 3) / (1 +
  // 0.4/log2 3).
  const std::optional<double> value = ndcg(Ranks{1, 2, 3}, std::vector<double>{0.0, 0.4, 1.0});
  ASSERT_TRUE(value);
  const double second = 0.4 / std::log2(3.0);
  EXPECT_DOUBLE_EQ(*value, second / (1 + second));
}

TEST(Ndcg, IsUndefinedWhereNothingIsRelevant) {
  EXPECT_FALSE(ndcg(Ranks{1, 2}, std::vector<double>{0, 0}));
}

TEST(Otsu, PartsTwoHeaps) {
  const std::vector<double> scores = {0, 0.1, 0.05, 0.9, 1.0};
  const OtsuSplit split = otsu(scores);
  EXPECT_GT(split.threshold, 0.09);
  EXPECT_LT(split.threshold, 0.9);
  EXPECT_EQ(split.num_above, scores.size() - 3 + (split.threshold <= 0.1 ? 1 : 0));
}

TEST(Otsu, GivesTheValueWhereAllAreEqual) {
  const OtsuSplit split = otsu(std::vector<double>{0.3, 0.3});
  EXPECT_EQ(split.threshold, 0.3);
  EXPECT_EQ(split.num_above, 2U);
}

}  // namespace
}  // namespace snellen::metrics::visdial
