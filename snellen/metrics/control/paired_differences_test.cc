// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/paired_differences.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

const std::vector<MetricColumn> kShare = {{.name = "acc", .is_share = true}};

TEST(PairedDifferences, OfIndependentSharesAreTestedByMcNemar) {
  PairedDifferences pairs(kShare);
  for (int i = 0; i < 20; ++i)
    pairs.add(std::vector<std::string>{std::to_string(i)},
              std::vector<double>{1.0},
              std::vector<double>{i < 10 ? 0.0 : 1.0});
  const PairedDifference one = pairs.of(0, 0.001, {});
  EXPECT_EQ(one.n, 20U);
  EXPECT_DOUBLE_EQ(one.value, 0.5);
  EXPECT_DOUBLE_EQ(*one.agreement, 0.5);
  EXPECT_EQ(one.interval, "paired-t");
  EXPECT_EQ(one.p_method, "mcnemar-exact");
  EXPECT_NEAR(*one.p, 2.0 / 1024, 1e-12);
  EXPECT_GT(*one.low, 0.2);
  EXPECT_LT(*one.high, 0.8);
}

TEST(PairedDifferences, OfItemsThatShareAPictureFlipTogether) {
  PairedDifferences pairs(kShare);
  for (int i = 0; i < 20; ++i)
    pairs.add(std::vector<std::string>{std::to_string(i / 2)},
              std::vector<double>{1.0},
              std::vector<double>{0.0});
  const PairedDifference one = pairs.of(0, 0.001, {});
  EXPECT_EQ(one.p_method, "cluster-sign-flip");
  EXPECT_LT(*one.p, 0.01);
  EXPECT_EQ(one.interval, "wilson-clusters");
}

TEST(PairedDifferences, WithoutAnyDifferenceStillHaveAnInterval) {
  PairedDifferences pairs(kShare);
  for (int i = 0; i < 20; ++i)
    pairs.add(std::vector<std::string>{std::to_string(i)},
              std::vector<double>{1.0},
              std::vector<double>{1.0});
  const PairedDifference one = pairs.of(0, 0.001, {});
  // Wilson's upper bound of 0 in 20.
  EXPECT_NEAR(*one.high, 0.161, 1e-3);
  EXPECT_NEAR(*one.low, -0.161, 1e-3);
  EXPECT_DOUBLE_EQ(*one.p, 1.0);
}

TEST(PairedDifferences, LeaveOutWhatIsUndefinedEitherTime) {
  PairedDifferences pairs(kShare);
  const double undefined = std::numeric_limits<double>::quiet_NaN();
  pairs.add(std::vector<std::string>{"a"}, std::vector<double>{undefined}, std::vector<double>{1});
  const PairedDifference one = pairs.of(0, 0.001, {});
  EXPECT_EQ(one.n, 0U);
  EXPECT_TRUE(std::isnan(one.value));
  EXPECT_EQ(one.reason, "no item has a value both times");
}

}  // namespace
}  // namespace snellen::metrics
