// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine/duplicates.h"

#include <gtest/gtest.h>

#include "snellen/base/hash.h"

namespace snellen::run {
namespace {

store::Sample sample_at(uint64_t position) {
  store::Sample sample;
  sample.position = position;
  sample.item = "x";
  return sample;
}

TEST(DuplicateGuard, FailsTheLaterOfTwoIds) {
  DuplicateGuard guard(1);
  store::Sample first = sample_at(3);
  store::Sample later = sample_at(9);
  guard.check(first);
  guard.check(later);
  EXPECT_EQ(first.status, store::SampleStatus::kScored);
  EXPECT_EQ(later.status, store::SampleStatus::kFailed);
  EXPECT_EQ(later.item, "x#9");
  EXPECT_EQ(later.error->message(), "id x was already used at position 3");
}

TEST(DuplicateGuard, FailsTheSameOneWhenTheLaterComesFirst) {
  DuplicateGuard guard(1);
  guard.foresee(0, fnv1a64("x"), 3);
  guard.foresee(0, fnv1a64("x"), 9);
  store::Sample later = sample_at(9);
  store::Sample first = sample_at(3);
  guard.check(later);
  guard.check(first);
  EXPECT_EQ(first.status, store::SampleStatus::kScored);
  EXPECT_EQ(later.item, "x#9");
  EXPECT_EQ(later.error->message(), "id x was already used at position 3");
}

}  // namespace
}  // namespace snellen::run
