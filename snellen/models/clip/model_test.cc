// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/models/clip/towers.h"
#include "snellen/testing/fixture_expectations.h"

namespace snellen::models::clip {
namespace {

TEST(ClipPooling, TakesTheFirstEndOfText) {
  Pooling pooling = {.takes_largest_id = false, .eos_id = 9};
  EXPECT_EQ(pooling.position(std::vector<int32_t>{1, 4, 9, 9}), 2);
  // The reference takes position 0, which is the same token in all texts.
  EXPECT_THROW(pooling.position(std::vector<int32_t>{1, 4}), Error);
}

TEST(ClipPooling, TakesTheLargestIdInOldFiles) {
  Pooling pooling = {.takes_largest_id = true, .eos_id = 2};
  EXPECT_EQ(pooling.position(std::vector<int32_t>{1, 2, 49407, 0, 49407}), 2);
}

TEST(Clip, ComputesWhatItsFixtureSays) {
  expect_fixture("clip");
}

TEST(Clip, GivesATextTheSameNumbersInAnyBatch) {
  expect_same_in_any_batch("clip");
}

}  // namespace
}  // namespace snellen::models::clip
