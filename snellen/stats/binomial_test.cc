// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/binomial.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::stats {
namespace {

TEST(BinomialPmf, GivesSmallCasesByHand) {
  EXPECT_NEAR(binomial_pmf(2, 4, 0.5), 6.0 / 16.0, 1e-15);
  EXPECT_NEAR(binomial_pmf(1, 3, 0.2), 3 * 0.2 * 0.64, 1e-15);
  EXPECT_EQ(binomial_pmf(5, 4, 0.5), 0.0);
  EXPECT_EQ(binomial_pmf(0, 4, 0.0), 1.0);
  EXPECT_EQ(binomial_pmf(4, 4, 1.0), 1.0);
}

TEST(BinomialPmf, AddsUpToOneForManyTrials) {
  double sum = 0.0;
  for (uint64_t k = 0; k <= 5000; ++k) sum += binomial_pmf(k, 5000, 0.37);
  EXPECT_NEAR(sum, 1.0, 1e-12);
}

TEST(BinomialTails, GivesSmallCasesByHand) {
  EXPECT_NEAR(binomial_lower_tail(2, 12, 0.5), 79.0 / 4096.0, 1e-16);
  EXPECT_NEAR(binomial_lower_tail(2, 4, 0.5), 11.0 / 16.0, 1e-15);
  EXPECT_EQ(binomial_lower_tail(0, 0, 0.5), 1.0);
  EXPECT_EQ(binomial_lower_tail(9, 9, 0.5), 1.0);
}

TEST(BinomialTails, KeepsTheFarTail) {
  // 2^-1000, computed without loss.
  EXPECT_NEAR(binomial_lower_tail(0, 1000, 0.5) / std::ldexp(1.0, -1000), 1.0, 1e-12);
}

TEST(BinomialTails, AddUpToOne) {
  // As many hits in n draws of chance p are n - k misses of chance 1 - p.
  for (uint64_t k = 0; k < 20; ++k) {
    EXPECT_NEAR(binomial_lower_tail(k, 20, 0.3) + binomial_lower_tail(19 - k, 20, 0.7), 1.0, 1e-15);
  }
  EXPECT_EQ(binomial_lower_tail(3, 20, 1.0), 0.0);
}

}  // namespace
}  // namespace snellen::stats
