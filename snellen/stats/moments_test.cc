// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/moments.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/rng.h"

namespace snellen::stats {
namespace {

TEST(Moments, GivesTheHandComputedFigures) {
  Moments moments;
  for (double x : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) moments.add(x);
  EXPECT_EQ(moments.count(), 8U);
  EXPECT_DOUBLE_EQ(moments.mean(), 5.0);
  EXPECT_DOUBLE_EQ(moments.sample_variance(), 32.0 / 7.0);
  EXPECT_DOUBLE_EQ(moments.sample_sd(), std::sqrt(32.0 / 7.0));
}

TEST(Moments, IsUndefinedWithTooFewItems) {
  Moments moments;
  EXPECT_TRUE(std::isnan(moments.mean()));
  moments.add(3.0);
  EXPECT_EQ(moments.mean(), 3.0);
  EXPECT_TRUE(std::isnan(moments.sample_variance()));
  EXPECT_TRUE(std::isnan(moments.sample_sd()));
}

TEST(Moments, KeepsASmallSpreadOnALargeOffset) {
  Moments moments;
  for (double x : {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}) moments.add(x);
  EXPECT_DOUBLE_EQ(moments.sample_variance(), 30.0);
}

TEST(Moments, MergesEmptyPartsWithoutEffect) {
  Moments one;
  one.add(2.0);
  one.merge(Moments());
  EXPECT_EQ(one.mean(), 2.0);
  Moments none;
  none.merge(one);
  EXPECT_EQ(none.count(), 1U);
  EXPECT_EQ(none.mean(), 2.0);
}

TEST(Moments, MergedPartsEqualTheWholeInAnyOrder) {
  Rng rng = Rng(4).fork("moments");
  Moments whole;
  std::vector<Moments> parts(5);
  for (int i = 0; i < 5000; ++i) {
    double x = 100.0 + rng.gauss();
    whole.add(x);
    parts[rng.below(parts.size())].add(x);
  }
  Moments forward;
  Moments backward;
  for (size_t i = 0; i < parts.size(); ++i) {
    forward.merge(parts[i]);
    backward.merge(parts[parts.size() - 1 - i]);
  }
  // Rounding of n updates of relative size 1e-16 each, far below what a figure shows.
  for (const Moments& merged : {forward, backward}) {
    EXPECT_EQ(merged.count(), whole.count());
    EXPECT_NEAR(merged.mean(), whole.mean(), 1e-11);
    EXPECT_NEAR(merged.sample_sd(), whole.sample_sd(), 1e-11);
  }
}

}  // namespace
}  // namespace snellen::stats
