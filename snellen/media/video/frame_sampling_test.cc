// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/frame_sampling.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::media {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(UniformFrames, TakesTheCentresOfEqualSegments) {
  EXPECT_THAT(uniform_frames(16, 4), ElementsAre(2, 6, 10, 14));
  EXPECT_THAT(uniform_frames(9, 8), ElementsAre(0, 1, 2, 3, 5, 6, 7, 8));
}

TEST(UniformFrames, RepeatsTheLastFrameOfAShortClip) {
  EXPECT_THAT(uniform_frames(2, 4), ElementsAre(0, 1, 1, 1));
}

TEST(WindowSampler, DrawsNumpysNumbersInOneStream) {
  WindowSampler sampler(0);
  EXPECT_EQ(sampler.next(1000, 8).end, 692);
  EXPECT_FALSE(sampler.next(8, 8).end);  // consumes nothing
  EXPECT_EQ(sampler.next(1000, 8).end, 567);
}

TEST(WindowSampler, ConsumesNothingForARangeOfOne) {
  WindowSampler sampler(0);
  EXPECT_THAT(sampler.next(9, 8).indices, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(sampler.next(1000, 8).end, 692);
}

TEST(WindowSampler, StretchesTheWindowByTheRate) {
  WindowSampler sampler(0);
  const auto window = sampler.next(7, 3, 2);
  EXPECT_EQ(window.end, 6);
  EXPECT_THAT(window.indices, ElementsAre(0, 3, 5));
  EXPECT_THAT(sampler.next(5, 3, 2).indices, ElementsAre(0, 2, 4));
}

TEST(VioletFrames, AreFour) {
  EXPECT_THAT(violet_frames(16), ElementsAre(0, 5, 8, 15));
  EXPECT_THAT(violet_frames(1), ElementsAre(0, 0, 0, 0));
}

TEST(SummaryFramesCompat, LeavesOutTheLastFrame) {
  EXPECT_THAT(summary_frames_compat(5, 5), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(summary_frames_compat(7, 3), ElementsAre(0, 3));
  EXPECT_THAT(summary_frames_compat(1, 5), IsEmpty());
}

TEST(FramesAtRate, ShowsWhatIsOnTheScreenAtEachTick) {
  const std::array<double, 5> seconds = {2.0, 2.1, 2.9, 3.0, 4.2};
  EXPECT_THAT(frames_at_rate(seconds, 1, 100), ElementsAre(0, 3, 3));
  EXPECT_THAT(frames_at_rate(seconds, 1, 2), ElementsAre(0, 3));
}

TEST(FrameSampler, ReadsItsFourForms) {
  EXPECT_EQ(FrameSampler::parse("all", 8)->kind, FrameSampler::Kind::kAll);
  EXPECT_EQ(FrameSampler::parse("fps:2.5", 8)->fps, 2.5);
  for (const char* bad : {"", "fps:", "fps:0", "fps:-1", "fps:1x", "fps:nan", "every"})
    EXPECT_FALSE(FrameSampler::parse(bad, 8)) << bad;
  EXPECT_FALSE(FrameSampler::parse("uniform", 0));
}

}  // namespace
}  // namespace snellen::media
