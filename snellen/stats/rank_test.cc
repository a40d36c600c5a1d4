// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/rank.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/rng.h"

namespace snellen::stats {
namespace {

TEST(Auroc, CountsPairsAndTiesAsOneHalf) {
  // 3 > 1, 3 > 2, 2 > 1, 2 = 2: 3.5 of 4.
  EXPECT_EQ(*auroc(std::vector<double>{3.0, 2.0}, std::vector<double>{1.0, 2.0}), 3.5 / 4.0);
}

TEST(Auroc, IsOneHalfWhenAllScoresAreEqual) {
  EXPECT_EQ(*auroc(std::vector<double>(5, 0.3), std::vector<double>(7, 0.3)), 0.5);
}

TEST(Auroc, IsNothingWithoutBothSides) {
  std::vector<double> some = {1.0};
  EXPECT_FALSE(auroc(some, {}));
  EXPECT_FALSE(auroc({}, some));
}

TEST(Auroc, TakesInfiniteScoresAndRefusesNaN) {
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(*auroc(std::vector<double>{infinity}, std::vector<double>{infinity, -infinity}), 0.75);
  EXPECT_THROW(auroc(std::vector<double>{std::nan("")}, std::vector<double>{1.0}), Error);
}

TEST(Auroc, EqualsTheCountOverAllPairsInAnyOrderAndMirrorsWhenSwapped) {
  Rng rng = Rng(2).fork("auroc");
  std::vector<double> positives(60);
  std::vector<double> negatives(45);
  for (double& score : positives) score = static_cast<double>(rng.below(12)) + 1;
  for (double& score : negatives) score = static_cast<double>(rng.below(12));
  double wins = 0.0;
  for (double p : positives) {
    for (double n : negatives) wins += p > n ? 1.0 : p == n ? 0.5 : 0.0;
  }
  double want = wins / (60.0 * 45.0);
  EXPECT_EQ(*auroc(positives, negatives), want);
  rng.shuffle<double>(positives);
  rng.shuffle<double>(negatives);
  EXPECT_EQ(*auroc(positives, negatives), want);
  EXPECT_DOUBLE_EQ(*auroc(negatives, positives), 1.0 - want);
}

}  // namespace
}  // namespace snellen::stats
