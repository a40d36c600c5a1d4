// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/power.h"

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/stats/interval.h"

namespace snellen::stats {
namespace {

constexpr double kLevel = 1.959963984540054;
constexpr double kPower = 0.8416212335729143;

TEST(DetectablePairedMean, IsTwoPointEightStandardErrors) {
  EXPECT_NEAR(*detectable_paired_mean(0.5, 100), (kLevel + kPower) * 0.05, 1e-14);
  EXPECT_FALSE(detectable_paired_mean(0.5, 0));
  EXPECT_FALSE(detectable_paired_mean(std::nan(""), 5));
}

TEST(DetectablePairedShare, SolvesItsEquation) {
  for (double share : {0.05, 0.3, 1.0}) {
    for (uint64_t n : {200U, 5000U}) {
      double d = *detectable_paired_share(share, static_cast<double>(n));
      double needed = kLevel * std::sqrt(share) + kPower * std::sqrt(share - d * d);
      EXPECT_NEAR(d * std::sqrt(static_cast<double>(n)), needed, 1e-12);
    }
  }
}

TEST(DetectablePairedShare, IsNothingWhenTooFewPairsDiffer) {
  EXPECT_FALSE(detectable_paired_share(0.02, 50));  // one discordant pair can never be significant
  EXPECT_FALSE(detectable_paired_share(0.0, 50));
  EXPECT_FALSE(detectable_paired_share(0.5, 0));
}

TEST(Needed, IsWhatMakesTheDifferenceDetectable) {
  for (double difference : {0.01, 0.05, 0.2}) {
    double n = *needed_paired_share(0.25, difference);
    EXPECT_NEAR(*detectable_paired_share(0.25, n), difference, 1e-12);
    n = *needed_paired_mean(0.7, difference);
    EXPECT_NEAR(*detectable_paired_mean(0.7, n), difference, 1e-12);
  }
  EXPECT_FALSE(needed_paired_share(0.05, 0.06));  // no more than all discordant items
  EXPECT_FALSE(needed_paired_mean(std::nan(""), 0.1));
}

TEST(Power, ShrinksWithMoreItemsAndGrowsWithMorePower) {
  EXPECT_LT(*detectable_paired_share(0.3, 1000), *detectable_paired_share(0.3, 500));
  EXPECT_LT(*detectable_paired_share(0.3, 500), *detectable_paired_share(0.3, 500, {.power = 0.9}));
}

TEST(Power, RefusesOptionsOutOfRange) {
  EXPECT_THROW(detectable_paired_mean(1.0, 10, {.alpha = 5}), Error);
  EXPECT_THROW(detectable_paired_mean(1.0, 10, {.power = 0.2}), Error);
}

}  // namespace
}  // namespace snellen::stats
