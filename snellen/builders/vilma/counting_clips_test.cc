// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/counting_clips.h"

#include <array>

#include <gtest/gtest.h>

namespace snellen::builders::vilma {
namespace {

constexpr std::array<int64_t, 5> kEnds = {11, 121, 150, 356, 400};

TEST(SubClips, AreShortWhereTheyAreEasy) {
  const auto clips = sub_clips(kEnds, Instrument::kEasy, {.threshold = 2, .max_count = 10});
  const std::vector<SubClip> want = {{0, 11, 1},
                                     {0, 121, 2},
                                     {11, 121, 1},
                                     {11, 150, 2},
                                     {121, 150, 1},
                                     {121, 356, 2},
                                     {150, 356, 1},
                                     {150, 400, 2},
                                     {356, 400, 1}};
  EXPECT_EQ(clips, want);
}

TEST(SubClips, AreLongWhereTheyAreHard) {
  EXPECT_EQ(sub_clips(kEnds, Instrument::kHard, {}),
            (std::vector<SubClip>{{0, 356, 4}, {0, 400, 5}, {11, 400, 4}}));
  EXPECT_EQ(sub_clips(kEnds, Instrument::kHard, {.threshold = 3, .max_count = 4}),
            (std::vector<SubClip>{{0, 356, 4}, {11, 400, 4}}));
}

TEST(SubClips, AreNoneWithoutEnoughRepetitions) {
  EXPECT_TRUE(sub_clips(std::span(kEnds).first(3), Instrument::kHard, {}).empty());
  EXPECT_TRUE(sub_clips({}, Instrument::kEasy, {}).empty());
}

TEST(FoilCounts, WeighCountsByTheStretchesThatHaveThem) {
  FoilCounts easy(Instrument::kEasy, {});
  easy.add_video(5);   // 4: 2, 5: 1
  easy.add_video(12);  // 4: 9 ... 10: 3
  EXPECT_EQ(easy.weights().at(4), 11U);
  EXPECT_EQ(easy.weights().at(5), 9U);
  EXPECT_EQ(easy.weights().rbegin()->first, 10U);
  FoilCounts hard(Instrument::kHard, {});
  EXPECT_TRUE(hard.is_empty());
  hard.add_video(2);  // 1: 2, 2: 1
  EXPECT_EQ(hard.weights(), (std::map<uint64_t, uint64_t>{{1, 2}, {2, 1}}));
}

TEST(FoilCounts, AreDrawnByTheirWeight) {
  FoilCounts counts(Instrument::kHard, {});
  counts.add_video(2);
  Rng rng(1);
  int ones = 0;
  for (int i = 0; i < 3000; ++i) ones += counts.draw(rng) == 1 ? 1 : 0;
  EXPECT_NEAR(ones, 2000, 150);  // two thirds, some six standard deviations
}

}  // namespace
}  // namespace snellen::builders::vilma
