// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/constant_rate.h"

#include <gtest/gtest.h>

namespace snellen::media {
namespace {

TEST(ConstantRate, ShowsEachFrameOfTheSameRateOnce) {
  ConstantRate rate({1, 30}, {30, 1});
  EXPECT_EQ(rate.next(0), 0);
  EXPECT_EQ(rate.next(1), 1);
  EXPECT_EQ(rate.next(2), 1);
  EXPECT_EQ(rate.finish(3), 1);
}

TEST(ConstantRate, RepeatsAndDropsToTheNearestTick) {
  ConstantRate slow({1, 10}, {30, 1});  // 10 fps
  EXPECT_EQ(slow.next(0), 0);
  EXPECT_EQ(slow.next(1), 3);
  EXPECT_EQ(slow.finish(2), 3);
  ConstantRate fast({1, 60}, {30, 1});  // 60 fps: 0, 0.5 -> 1, 1, 1.5 -> 2, ...
  EXPECT_EQ(fast.next(0), 0);
  EXPECT_EQ(fast.next(1), 1);
  EXPECT_EQ(fast.next(2), 0);
  EXPECT_EQ(fast.next(3), 1);
}

TEST(ConstantRate, SurvivesTimestampsThatGoBackOrAreHuge) {
  ConstantRate rate({1, 1000}, {30, 1});
  EXPECT_EQ(rate.next(1000), 0);
  EXPECT_EQ(rate.next(-5000), 0);
  EXPECT_GT(rate.next(INT64_MAX), 1000);
  EXPECT_EQ(rate.next(INT64_MIN), 0);
}

}  // namespace
}  // namespace snellen::media
