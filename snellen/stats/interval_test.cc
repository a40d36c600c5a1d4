// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/interval.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/stats/binomial.h"

namespace snellen::stats {
namespace {

TEST(Wilson, GivesTheFiguresOfTheSpec) {
  Interval half = *wilson(5, 10, 0.95);
  EXPECT_NEAR(half.low, 0.2365930905, 1e-10);
  EXPECT_NEAR(half.high, 0.7634069095, 1e-10);
  EXPECT_EQ(half.method, "wilson");
  EXPECT_NEAR(wilson(20, 20, 0.95)->low, 0.839, 5e-4);
}

TEST(Wilson, TouchesTheEndsExactlyAtNoneAndAll) {
  EXPECT_EQ(wilson(0, 7, 0.95)->low, 0.0);
  EXPECT_EQ(wilson(7, 7, 0.95)->high, 1.0);
}

TEST(Wilson, OfNothingIsNothing) {
  EXPECT_FALSE(wilson(0, 0, 0.95));
}

// The mean coverage over all shares is close to nominal, though single shares dip below it.
TEST(Wilson, CoversTheTrueShareAboutAsOftenAsItSays) {
  const uint64_t n = 50;
  double total = 0.0;
  int num_shares = 0;
  for (double share = 0.02; share < 0.985; share += 0.01) {
    double covered = 0.0;
    for (uint64_t k = 0; k <= n; ++k) {
      Interval interval = *wilson(k, n, 0.95);
      if (interval.low <= share && share <= interval.high) covered += binomial_pmf(k, n, share);
    }
    EXPECT_GT(covered, 0.90) << share;
    total += covered;
    ++num_shares;
  }
  EXPECT_NEAR(total / num_shares, 0.95, 0.01);
}

TEST(Interval, RefusesAConfidenceInPercent) {
  EXPECT_THROW(wilson(1, 2, 95.0), Error);
  EXPECT_THROW(mean_interval(Moments(), 1.0), Error);
}

TEST(MeanInterval, IsTheMeanWithANormalMargin) {
  Moments moments;
  for (double x : {1.0, 2.0, 3.0, 4.0}) moments.add(x);
  double half = 1.959963984540054 * std::sqrt(5.0 / 3.0) / 2.0;
  Interval interval = *mean_interval(moments, 0.95);
  EXPECT_NEAR(interval.low, 2.5 - half, 1e-14);
  EXPECT_NEAR(interval.high, 2.5 + half, 1e-14);
  EXPECT_EQ(interval.method, "normal");
}

TEST(MeanInterval, NeedsTwoItems) {
  Moments moments;
  moments.add(1.0);
  EXPECT_FALSE(mean_interval(moments, 0.95));
}

TEST(NormalQuantile, InvertsTheCdfFarIntoTheTails) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-15);
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  for (double p : {1e-300, 1e-20, 1e-5, 0.01, 0.2, 0.7, 0.999}) {
    // The cdf's slope magnifies one rounding of x by about x^2 in relative terms.
    double x = normal_quantile(p);
    EXPECT_NEAR(normal_cdf(x) / p, 1.0, 1e-15 * (4.0 + 2.0 * x * x)) << p;
  }
}

TEST(NormalQuantile, IsInfiniteAtTheEndsAndUndefinedBeyond) {
  EXPECT_EQ(normal_quantile(0.0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_quantile(1.0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(normal_quantile(-0.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(std::nan(""))));
}

}  // namespace
}  // namespace snellen::stats
