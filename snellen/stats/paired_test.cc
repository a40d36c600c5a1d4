// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/paired.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/rng.h"

namespace snellen::stats {
namespace {

TEST(McNemar, GivesTheHandComputedFigures) {
  // P(Bin(12, 1/2) <= 2) = 79 / 4096 and P(= 2) = 66 / 4096.
  McNemar test = mcnemar(10, 2);
  EXPECT_NEAR(test.exact, 158.0 / 4096.0, 1e-15);
  EXPECT_NEAR(test.mid_p, 92.0 / 4096.0, 1e-15);
  EXPECT_NEAR(test.chi2_corrected, 49.0 / 12.0, 1e-15);
  EXPECT_EQ(test.p, test.exact);
  EXPECT_EQ(test.method, "mcnemar-exact");
}

TEST(McNemar, IsOneWithoutDiscordantPairs) {
  McNemar test = mcnemar(0, 0);
  EXPECT_EQ(test.exact, 1.0);
  EXPECT_EQ(test.mid_p, 1.0);
  EXPECT_EQ(test.chi2_corrected, 0.0);
  EXPECT_EQ(test.p_corrected, 1.0);
}

TEST(McNemar, TakesHalfOfTheMiddleWhenBothSidesAreEqual) {
  EXPECT_EQ(mcnemar(5, 5).exact, 1.0);
  EXPECT_NEAR(mcnemar(5, 5).mid_p, 1.0 - 126.0 / 1024.0, 1e-15);
}

TEST(McNemar, DoesNotCareWhichIsFirst) {
  EXPECT_EQ(mcnemar(3, 11).exact, mcnemar(11, 3).exact);
  EXPECT_EQ(mcnemar(3, 11).mid_p, mcnemar(11, 3).mid_p);
}

TEST(McNemar, ReportsTheCorrectedTestFromTwentyFivePairsOn) {
  EXPECT_EQ(mcnemar(20, 4).method, "mcnemar-exact");
  EXPECT_EQ(mcnemar(20, 5).method, "mcnemar-corrected");
  EXPECT_EQ(mcnemar(20, 5).p, mcnemar(20, 5).p_corrected);
}

TEST(PairedPermutation, FindsTheExactShareForAFewPairs) {
  // Five differences of +1: only all-same signs (2 of 32) are as far.
  std::vector<double> first(5, 1.0);
  std::vector<double> second(5, 0.0);
  EXPECT_NEAR(*paired_permutation_p(first, second, {}), 2.0 / 32.0, 0.01);
}

TEST(PairedPermutation, IsOneForEqualSystemsAndNothingForNone) {
  std::vector<double> same = {1.0, 0.0, 1.0};
  EXPECT_EQ(*paired_permutation_p(same, same, {}), 1.0);
  EXPECT_FALSE(paired_permutation_p({}, {}, {}));
  std::vector<double> undefined = {1.0, 0.0, std::nan("")};
  EXPECT_FALSE(paired_permutation_p(same, undefined, {}));
  std::vector<double> infinite = {1.0, 0.0, INFINITY};
  EXPECT_FALSE(paired_permutation_p(same, infinite, {}));
}

TEST(PairedPermutation, NeverGivesZero) {
  std::vector<double> first(100, 1.0);
  std::vector<double> second(100, 0.0);
  EXPECT_EQ(*paired_permutation_p(first, second, {.draws = 999}), 1.0 / 1000.0);
}

TEST(PairedPermutation, CountsTiesDespiteRounding) {
  // Signs of 0.1, 0.2, 0.3: |sum| >= 0 always, though 0.1 + 0.2 - 0.3 is not quite 0 in binary.
  std::vector<double> first = {0.1, 0.2, -0.3};
  std::vector<double> second(3, 0.0);
  EXPECT_EQ(*paired_permutation_p(first, second, {}), 1.0);
}

TEST(PairedPermutation, GivesTheSameBitsOnAnyNumberOfThreadsAndWhicheverIsFirst) {
  Rng rng = Rng(11).fork("pairs");
  std::vector<double> first(200);
  std::vector<double> second(200);
  for (size_t i = 0; i < first.size(); ++i) {
    first[i] = rng.gauss();
    second[i] = first[i] + 0.3 * rng.gauss() + 0.03;
  }
  double alone = *paired_permutation_p(first, second, {.seed = 3});
  for (unsigned num_threads : {2U, 8U}) {
    EXPECT_EQ(*paired_permutation_p(first, second, {.seed = 3, .num_threads = num_threads}), alone);
  }
  EXPECT_EQ(*paired_permutation_p(second, first, {.seed = 3}), alone);
}

TEST(PairedPermutation, RefusesOptionsOutOfRange) {
  EXPECT_THROW(paired_permutation_p({}, {}, {.draws = 0}), Error);
}

TEST(PairedBootstrap, ResamplesTheDifferences) {
  std::vector<double> first = {1.0, 3.0, 2.0, 5.0};
  std::vector<double> second = {0.0, 2.0, 4.0, 1.0};
  std::vector<double> differences = {1.0, 1.0, -2.0, 4.0};
  Interval paired = *paired_bootstrap(first, second, {});
  Interval direct = *bootstrap_mean(differences, {});
  EXPECT_EQ(paired.low, direct.low);
  EXPECT_EQ(paired.high, direct.high);
  EXPECT_THROW(paired_bootstrap(first, {}, {}), Error);
}

}  // namespace
}  // namespace snellen::stats
