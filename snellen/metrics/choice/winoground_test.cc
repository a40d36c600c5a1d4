// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/winoground.h"

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

TEST(Winoground, ATieCanBeWonOrCountOneHalf) {
  const FourScores tied = {{{5, 5}, {4, 6}}};
  EXPECT_EQ(judge_winoground(tied, Ties::kWrong).values[0], 0);
  EXPECT_EQ(judge_winoground(tied, Ties::kHalf).values[2], 0.5);
  EXPECT_EQ(judge_winoground(tied, Ties::kRight).values[2], 1);
  EXPECT_EQ(judge_winoground(tied, Ties::kRight).is_correct, true);
  // A comparison that is lost stays lost.
  EXPECT_EQ(judge_winoground({{{5, 5}, {7, 6}}}, Ties::kRight).values[0], 0);
}

}  // namespace
}  // namespace snellen::metrics
