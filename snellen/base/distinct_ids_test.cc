// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/distinct_ids.h"

#include <map>

#include <gtest/gtest.h>

#include "snellen/base/splitmix.h"

namespace snellen {
namespace {

TEST(DistinctIds, NumbersInTheOrderTheyCome) {
  DistinctIds ids;
  EXPECT_EQ(ids.find({1, 2}), DistinctIds::kAbsent);
  EXPECT_TRUE(ids.add({1, 2}).is_new);
  EXPECT_EQ(ids.add({7, 2}).id, 1U);
  EXPECT_FALSE(ids.add({1, 2}).is_new);
  EXPECT_EQ(ids.find({7, 2}), 1U);
  EXPECT_EQ(ids.size(), 2U);
}

// Keys whose low halves agree share a slot; so do those that meet in a small table.
TEST(DistinctIds, AgreesWithAMapOverManyKeysThatMeet) {
  DistinctIds ids;
  std::map<ContentKey, uint32_t> expected;
  for (uint64_t i = 0; i < 20000; ++i) {
    const ContentKey key = {splitmix64(i % 700) % 64, splitmix64(i) % 50};
    auto [place, is_new] = expected.emplace(key, static_cast<uint32_t>(expected.size()));
    const DistinctIds::Added added = ids.add(key);
    ASSERT_EQ(added.id, place->second);
    ASSERT_EQ(added.is_new, is_new);
  }
  EXPECT_EQ(ids.size(), expected.size());
  for (const auto& [key, id] : expected) EXPECT_EQ(ids.find(key), id);
  EXPECT_EQ(ids.find({64, 0}), DistinctIds::kAbsent);
}

}  // namespace
}  // namespace snellen
