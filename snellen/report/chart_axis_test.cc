// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/chart_axis.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::report {
namespace {

using testing::ElementsAre;

TEST(RoundTicks, AreRoundAndEncloseTheRange) {
  EXPECT_THAT(round_ticks(0, 1, 5), ElementsAre(0, 0.25, 0.5, 0.75, 1));
  EXPECT_THAT(round_ticks(0.1, 7.9, 5), ElementsAre(0, 2, 4, 6, 8));
  EXPECT_THAT(round_ticks(-3, 12, 4), ElementsAre(-5, 0, 5, 10, 15));
  EXPECT_THAT(round_ticks(0, 20000, 5), ElementsAre(0, 5000, 10000, 15000, 20000));
}

TEST(TickText, IsShort) {
  EXPECT_EQ(tick_text(0.25), "0.25");
  EXPECT_EQ(tick_text(0.1 + 0.2), "0.3");
  EXPECT_EQ(tick_text(12500), "12,500");
  EXPECT_EQ(tick_text(-1234567), "-1,234,567");
  EXPECT_EQ(tick_text(2e9), "2e+09");
  EXPECT_EQ(tick_text(1e-5), "1e-05");
  EXPECT_EQ(tick_text(-0.0), "0");
}

TEST(Axis, WidensASingleValueAndLeavesOutWhatIsNoNumber) {
  Range range;
  range.take(NAN);
  EXPECT_TRUE(range.is_empty());
  EXPECT_EQ(axis_of(range, 3, true).high, 1);
  range.take(2);
  range.take(INFINITY);
  Axis axis = axis_of(range, 5, true);
  EXPECT_LT(axis.low, 2);
  EXPECT_GT(axis.high, 2);
  axis.begin = 0;
  axis.end = 100;
  EXPECT_DOUBLE_EQ(axis.place(axis.low), 0);
  EXPECT_DOUBLE_EQ(axis.place(axis.high), 100);
}

}  // namespace
}  // namespace snellen::report
