// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/rle.h"

#include <ctime>

#include <gtest/gtest.h>

#include "snellen/media/masks/mask.h"

namespace snellen::media {
namespace {

// 2 high, 3 wide; marked: (0,1), (1,0) (1,1).   .#.
//                                                ##.
Rle small() {
  return {.height = 2, .width = 3, .counts = {1, 3, 2}};
}

TEST(Rle, RunsGoDownTheColumns) {
  Mask mask = mask_of(small());
  EXPECT_EQ(mask.bits, (std::vector<uint8_t>{0, 1, 0, 1, 1, 0}));
  EXPECT_EQ(rle_of(mask), small());
  EXPECT_EQ(area_of(small()), 3u);
  EXPECT_EQ(area_of(mask), 3u);
}

TEST(Rle, AMaskThatIsAllMarkedBeginsWithARunOfNone) {
  Mask mask = Mask::blank(3, 2);
  std::fill(mask.bits.begin(), mask.bits.end(), uint8_t{1});
  Rle rle = rle_of(mask);
  EXPECT_EQ(rle.counts, (std::vector<uint32_t>{0, 6}));
  EXPECT_EQ(mask_of(rle), mask);
  EXPECT_EQ(area_of(blank_rle(2, 3)), 0u);
}

TEST(Rle, ARunOverTwoColumnsHasABoxOfFullHeight) {
  EXPECT_EQ(box_of(small()), (MaskBox{.x = 0, .y = 0, .width = 2, .height = 2}));
  Rle one{.height = 4, .width = 4, .counts = {9, 2, 5}};
  EXPECT_EQ(box_of(one), (MaskBox{.x = 2, .y = 1, .width = 1, .height = 2}));
  EXPECT_EQ(box_of(blank_rle(4, 4)), MaskBox{});
}

TEST(Rle, MergesToUnionAndIntersection) {
  std::vector<Rle> two = {{.height = 1, .width = 8, .counts = {1, 4, 3}},
                          {.height = 1, .width = 8, .counts = {3, 4, 1}}};
  EXPECT_EQ(merge(two).counts, (std::vector<uint32_t>{1, 6, 1}));
  EXPECT_EQ(merge(two, MergeRule::kIntersection).counts, (std::vector<uint32_t>{3, 2, 3}));
  EXPECT_EQ(merge({&two[0], 1}), two[0]);
}

TEST(Rle, StringsComeBackAsTheyWere) {
  // From golden/probe/mask.json: 10 high, 8 wide.
  Rle rle{.height = 10, .width = 8, .counts = {15, 2, 8, 3, 52}};
  EXPECT_EQ(string_of(rle), "?281\\1");
  EXPECT_EQ(*rle_of_string("?281\\1", 10, 8), rle);
}

TEST(Rle, LargeAndShrinkingRunsNeedSeveralGroups) {
  Rle rle{.height = 1000, .width = 1000, .counts = {400000, 100000, 1, 2, 499997}};
  EXPECT_EQ(*rle_of_string(string_of(rle), 1000, 1000), rle);
}

TEST(Rle, ABadStringIsAnErrorThatSaysWhere) {
  EXPECT_FALSE(rle_of_string("?2 81", 10, 8));
  EXPECT_EQ(rle_of_string("?2 81", 10, 8).error().where(), "compressed RLE, character 2");
  EXPECT_FALSE(rle_of_string("?28P", 10, 8));       // more bits announced
  EXPECT_FALSE(rle_of_string("ooooooooo", 10, 8));  // endless number
  EXPECT_FALSE(rle_of_string("?281", 10, 8));       // runs too short
  EXPECT_FALSE(rle_of_string("O", 10, 8));          // negative
  EXPECT_FALSE(rle_of_string("", 10, 8));
}

TEST(Rle, CountsMustAddUpToTheMask) {
  std::vector<uint64_t> good = {1, 3, 2};
  EXPECT_EQ(*rle_of_counts(good, 2, 3), small());
  std::vector<uint64_t> more = {1, 3, 3};
  EXPECT_FALSE(rle_of_counts(more, 2, 3));
  std::vector<uint64_t> fewer = {1, 3, 1};
  EXPECT_FALSE(rle_of_counts(fewer, 2, 3));
  std::vector<uint64_t> huge = {1, ~uint64_t{0}, 6};
  EXPECT_FALSE(rle_of_counts(huge, 2, 3));
}

TEST(Rle, SizesAreCheckedBeforeAnythingIsMade) {
  std::vector<uint64_t> none = {0};
  EXPECT_FALSE(rle_of_counts(none, 0, 3));
  EXPECT_FALSE(rle_of_counts(none, -1, 3));
  EXPECT_FALSE(rle_of_counts(none, int64_t{1} << 40, int64_t{1} << 40));
  EXPECT_FALSE(rle_of_counts(none, 100, 100, {.max_pixels = 9999}));
}

// Linear merging of these took 15 seconds.
TEST(RleMerger, UnitesFortyThousandMasksInLinearTime) {
  const std::clock_t begin = std::clock();
  RleMerger merger;
  const uint32_t count = 40000;
  for (uint32_t i = 0; i < count; ++i)
    merger.add({.height = 400, .width = 200, .counts = {2 * i, 1, 2 * count - 2 * i - 1}});
  const std::optional<Rle> united = merger.take();
  ASSERT_TRUE(united);
  EXPECT_EQ(area_of(*united), count);
  EXPECT_EQ(united->counts.size(), 2 * size_t{count} + 1);
  EXPECT_LT(std::clock() - begin, 5 * CLOCKS_PER_SEC);
  EXPECT_FALSE(RleMerger().take());
}

TEST(RleMerger, GivesWhatMergingOneByOneGives) {
  std::vector<Rle> masks;
  for (uint32_t i = 0; i < 13; ++i)
    masks.push_back({.height = 10, .width = 10, .counts = {7 * i, 5 + i % 4, 95 - 7 * i - i % 4}});
  for (MergeRule rule : {MergeRule::kUnion, MergeRule::kIntersection}) {
    Rle one_by_one = masks[0];
    for (const Rle& mask : masks) one_by_one = merge(std::vector{one_by_one, mask}, rule);
    EXPECT_EQ(merge(masks, rule), one_by_one);
  }
}

}  // namespace
}  // namespace snellen::media
