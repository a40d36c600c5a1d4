// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/plan.h"

#include <set>

#include <gtest/gtest.h>

namespace snellen::run {
namespace {

std::vector<OpenTask> two_tasks() {
  std::vector<OpenTask> tasks(2);
  tasks[0].parts = {{"a", 5}, {"b", 0}, {"c", 4}};
  tasks[1].parts = {{"", 7}};
  return tasks;
}

std::vector<std::pair<uint32_t, uint64_t>> all_of(const Plan& plan) {
  std::vector<std::pair<uint32_t, uint64_t>> items;
  for (uint64_t i = 0; i < plan.size(); ++i) items.emplace_back(plan[i].task, plan[i].position);
  return items;
}

TEST(Plan, GoesThroughTasksAndPartsInOrder) {
  auto tasks = two_tasks();
  Plan plan(tasks, 0, {});
  EXPECT_EQ(plan.size(), 16U);
  EXPECT_EQ(plan[4].part, 0U);
  EXPECT_EQ(plan[5].part, 2U);
  EXPECT_EQ(plan[5].position, 5U);
  EXPECT_EQ(plan[9].task, 1U);
  EXPECT_EQ(plan[9].position, 0U);
}

TEST(Plan, LimitsEachPart) {
  auto tasks = two_tasks();
  Plan plan(tasks, 2, {});
  EXPECT_EQ(
      all_of(plan),
      (std::vector<std::pair<uint32_t, uint64_t>>{{0, 0}, {0, 1}, {0, 5}, {0, 6}, {1, 0}, {1, 1}}));
}

TEST(Plan, ShardsAreDisjointAndTogetherAreEverything) {
  auto tasks = two_tasks();
  for (uint64_t limit : {0, 3}) {
    auto whole = all_of(Plan(tasks, limit, {}));
    std::set<std::pair<uint32_t, uint64_t>> joined;
    size_t count = 0;
    for (uint64_t shard = 0; shard < 3; ++shard) {
      for (auto item : all_of(Plan(tasks, limit, {shard, 3}))) {
        joined.insert(item);
        ++count;
      }
    }
    EXPECT_EQ(count, whole.size());
    EXPECT_EQ(joined, (std::set<std::pair<uint32_t, uint64_t>>(whole.begin(), whole.end())));
  }
}

}  // namespace
}  // namespace snellen::run
