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

TEST(SignFlip, FindsTheExactShareForAFewDifferences) {
  // Five differences of +1: only all-same signs (2 of 32) are as far.
  std::vector<double> differences(5, 1.0);
  EXPECT_NEAR(sign_flip_test(differences, {})->p, 2.0 / 32.0, 0.01);
}

TEST(SignFlip, IsOneWithoutADifferenceAndNothingWithoutAnItem) {
  std::vector<double> none = {0.0, 0.0, 0.0};
  EXPECT_EQ(sign_flip_test(none, {})->p, 1.0);
  EXPECT_FALSE(sign_flip_test({}, {}));
  std::vector<double> undefined = {1.0, 0.0, std::nan("")};
  EXPECT_FALSE(sign_flip_test(undefined, {}));
  std::vector<double> infinite = {1.0, 0.0, INFINITY};
  EXPECT_FALSE(sign_flip_test(infinite, {}));
}

TEST(SignFlip, WithoutAHitIsTheFloorAndNeverZero) {
  std::vector<double> differences(100, 1.0);
  SignFlip test = *sign_flip_test(differences, {.draws = 999});
  EXPECT_EQ(test.p, 1.0 / 1000.0);
  EXPECT_TRUE(test.is_floor());
}

TEST(SignFlip, DrawsUntilTheFloorIsBelowWhatIsAskedFor) {
  std::vector<double> differences(100, 1.0);
  SignFlip test = *sign_flip_test(differences, {.draws = 100, .smallest_p = 1e-4});
  EXPECT_EQ(test.draws, 10000U);
  EXPECT_LT(test.p, 1e-4);
  EXPECT_TRUE(test.is_floor());
}

TEST(SignFlip, DrawsNoMoreWhereManyDrawsAreAsFar) {
  std::vector<double> differences(5, 1.0);  // p is 2 / 32
  SignFlip test = *sign_flip_test(differences, {.draws = 1000, .smallest_p = 1e-6});
  EXPECT_EQ(test.draws, 1000U);
  EXPECT_FALSE(test.is_floor());
}

TEST(SignFlip, GrownDrawsAreThoseOfALongerTest) {
  Rng rng = Rng(5).fork("differences");
  std::vector<double> differences(60);
  for (double& one : differences) one = rng.gauss() + 0.45;
  SignFlip grown = *sign_flip_test(differences, {.draws = 100, .smallest_p = 2e-4});
  SignFlip whole = *sign_flip_test(differences, {.draws = grown.draws});
  EXPECT_GT(grown.draws, 100U);
  EXPECT_EQ(grown.hits, whole.hits);
}

TEST(SignFlip, CountsTiesDespiteRounding) {
  // Signs of 0.1, 0.2, 0.3: |sum| >= 0 always, though 0.1 + 0.2 - 0.3 is not quite 0 in binary.
  std::vector<double> differences = {0.1, 0.2, -0.3};
  EXPECT_EQ(sign_flip_test(differences, {})->p, 1.0);
}

TEST(SignFlip, GivesTheSameBitsOnAnyNumberOfThreadsAndWhicheverIsFirst) {
  Rng rng = Rng(11).fork("pairs");
  std::vector<double> differences(200);
  for (double& one : differences) one = 0.3 * rng.gauss() + 0.03;
  double alone = sign_flip_test(differences, {.seed = 3})->p;
  for (unsigned num_threads : {2U, 8U})
    EXPECT_EQ(sign_flip_test(differences, {.seed = 3, .num_threads = num_threads})->p, alone);
  for (double& one : differences) one = -one;
  EXPECT_EQ(sign_flip_test(differences, {.seed = 3})->p, alone);
}

TEST(SignFlip, RefusesOptionsOutOfRange) {
  EXPECT_THROW(sign_flip_test({}, {.draws = 0}), Error);
}

}  // namespace
}  // namespace snellen::stats
