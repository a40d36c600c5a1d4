// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/question_selection.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::tasks {
namespace {

using testing::ElementsAre;

TEST(StratifiedSample, DrawsFromEveryStratumInTurnAndKeepsTheOrder) {
  const std::vector<std::string> keys = {"a", "a", "a", "a", "b", "b", "c"};
  const std::vector<uint32_t> drawn = stratified_sample(keys, 5, 42);
  ASSERT_EQ(drawn.size(), 5U);
  EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
  std::multiset<std::string> strata;
  for (uint32_t place : drawn) strata.insert(keys[place]);
  EXPECT_EQ(strata.count("a"), 2U);
  EXPECT_EQ(strata.count("b"), 2U);
  EXPECT_EQ(strata.count("c"), 1U);
  EXPECT_EQ(stratified_sample(keys, 5, 42), drawn);
}

TEST(StratifiedSample, TakesAllWhereMoreAreWanted) {
  EXPECT_THAT(stratified_sample({"a", "b", "a"}, 9, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(stratified_sample({}, 9, 0), ElementsAre());
}

}  // namespace
}  // namespace snellen::tasks
