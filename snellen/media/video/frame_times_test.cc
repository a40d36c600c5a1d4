// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/frame_times.h"

#include <gtest/gtest.h>

namespace snellen::media {
namespace {

TEST(FrameTimes, SecondsHaveFourDecimals) {
  EXPECT_EQ(seconds_of_frame(767, 30), 25.5667);
  EXPECT_EQ(seconds_of_frame(1614, 30), 53.8);
}

TEST(FrameTimes, NormalizedFramesRoundHalfToEven) {
  EXPECT_EQ(normalized_frame(5, 60, 30), 2);
  EXPECT_EQ(normalized_frame(15, 60, 30), 8);
  EXPECT_EQ(normalized_frame(616, 29.97, 30), 617);
}

}  // namespace
}  // namespace snellen::media
