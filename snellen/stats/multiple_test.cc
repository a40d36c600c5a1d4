// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/multiple.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/rng.h"

namespace snellen::stats {
namespace {

TEST(Holm, GivesTheHandComputedValues) {
  // Ascending: 0.005 x4, 0.01 x3, 0.03 x2, 0.04 x1, then running maximum.
  std::vector<double> adjusted = holm(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  EXPECT_NEAR(adjusted[0], 0.03, 1e-15);
  EXPECT_NEAR(adjusted[1], 0.06, 1e-15);
  EXPECT_NEAR(adjusted[2], 0.06, 1e-15);
  EXPECT_NEAR(adjusted[3], 0.02, 1e-15);
}

TEST(Multiple, OneTestIsLeftAloneAndNoneGivesNone) {
  EXPECT_EQ(holm(std::vector<double>{0.2}), std::vector<double>{0.2});
  EXPECT_TRUE(holm({}).empty());
}

TEST(Multiple, RefusesWhatIsNoProbability) {
  EXPECT_THROW(holm(std::vector<double>{0.1, 1.5}), Error);
  EXPECT_THROW(holm(std::vector<double>{std::nan("")}), Error);
}

TEST(Multiple, StaysBetweenTheValueAndOneAndFollowsAPermutation) {
  Rng rng = Rng(1).fork("p");
  std::vector<double> p_values(50);
  for (double& p : p_values) p = std::round(rng.u01() * 20) / 20;  // with ties
  std::vector<double> reversed(p_values.rbegin(), p_values.rend());
  std::vector<double> adjusted = holm(p_values);
  std::vector<double> mirror = holm(reversed);
  std::reverse(mirror.begin(), mirror.end());
  EXPECT_EQ(adjusted, mirror);
  for (size_t i = 0; i < p_values.size(); ++i) {
    EXPECT_GE(adjusted[i], p_values[i]);
    EXPECT_LE(adjusted[i], 1.0);
  }
}

}  // namespace
}  // namespace snellen::stats
