// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/winoground.h"

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

TEST(Winoground, NeedsBothImagesToPreferTheirOwnPrompt) {
  Winoground result = winoground({{{5, 4}, {6, 7}}});
  EXPECT_TRUE(result.text);
  EXPECT_FALSE(result.image);  // prompt 1 prefers image 2
  EXPECT_FALSE(result.group);
  EXPECT_TRUE(winoground({{{7, 4}, {3, 8}}}).group);
}

TEST(Winoground, CountsTiesAndFailsThem) {
  Winoground result = winoground({{{5, 5}, {4, 6}}});
  EXPECT_FALSE(result.text);
  EXPECT_TRUE(result.image);
  EXPECT_EQ(result.num_ties, 1);
  EXPECT_DOUBLE_EQ(result.confidence[0][0], 0.5);
}

}  // namespace
}  // namespace snellen::metrics
