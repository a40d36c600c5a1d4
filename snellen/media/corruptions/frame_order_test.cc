// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/frame_order.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace snellen::media {
namespace {

constexpr CorruptionKey kKey{.seed = 0, .image_id = "clip"};

TEST(FrameOrder, ReversesFreezesAndTakesTheMiddleFrame) {
  const FrameIndices sampled = {2, 5, 7, 9};
  EXPECT_EQ(in_order(sampled, FrameOrder::kReverse, kKey), (FrameIndices{9, 7, 5, 2}));
  EXPECT_EQ(in_order(sampled, FrameOrder::kFreeze, kKey), (FrameIndices{7, 7, 7, 7}));
  EXPECT_EQ(in_order(sampled, FrameOrder::kOne, kKey), (FrameIndices{7}));
  EXPECT_TRUE(in_order({}, FrameOrder::kOne, kKey).empty());
}

TEST(FrameOrder, AShuffleIsAPermutationAndNeverTheOrderThatCame) {
  const FrameIndices sampled = {0, 1};
  for (uint64_t seed = 0; seed < 50; ++seed)
    EXPECT_EQ(in_order(sampled, FrameOrder::kShuffle, {.seed = seed, .image_id = "a"}),
              (FrameIndices{1, 0}));
  const FrameIndices many = {0, 1, 2, 3, 4, 5, 6, 7};
  FrameIndices drawn = in_order(many, FrameOrder::kShuffle, kKey);
  EXPECT_EQ(drawn, in_order(many, FrameOrder::kShuffle, kKey));
  EXPECT_NE(drawn, in_order(many, FrameOrder::kShuffle, {.seed = 0, .image_id = "other"}));
  std::sort(drawn.begin(), drawn.end());
  EXPECT_EQ(drawn, many);
}

TEST(FrameOrder, FramesThatAreAllTheSameStay) {
  EXPECT_EQ(in_order({4, 4, 4}, FrameOrder::kShuffle, kKey), (FrameIndices{4, 4, 4}));
}

TEST(FrameOrder, KnowsItsFourNames) {
  EXPECT_EQ(frame_order_of("reverse"), FrameOrder::kReverse);
  EXPECT_EQ(frame_order_of("oneframe"), FrameOrder::kOne);
  EXPECT_FALSE(frame_order_of("gray"));
}

}  // namespace
}  // namespace snellen::media
