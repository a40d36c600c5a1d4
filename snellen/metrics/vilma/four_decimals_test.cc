// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/four_decimals.h"

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

TEST(FourDecimals, TheTwoRulesDifferWhereTheSpecSaysSo) {
  EXPECT_EQ(round_mean(0.12345), 0.1234);
  EXPECT_EQ(round_probe_r_accuracy(0.12345), 0.1235);
  EXPECT_EQ(round_mean(-0.12345), -0.1234);
  EXPECT_EQ(round_probe_r_accuracy(-0.12345), -0.1235);
}

}  // namespace
}  // namespace snellen::metrics
