// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/plan.h"

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
  Plan plan(tasks, 0);
  EXPECT_EQ(plan.size(), 16U);
  EXPECT_EQ(plan[4].part, 0U);
  EXPECT_EQ(plan[5].part, 2U);
  EXPECT_EQ(plan[5].position, 5U);
  EXPECT_EQ(plan[9].task, 1U);
  EXPECT_EQ(plan[9].position, 0U);
}

TEST(Plan, LimitsEachPart) {
  auto tasks = two_tasks();
  Plan plan(tasks, 2);
  EXPECT_EQ(
      all_of(plan),
      (std::vector<std::pair<uint32_t, uint64_t>>{{0, 0}, {0, 1}, {0, 5}, {0, 6}, {1, 0}, {1, 1}}));
}

TEST(Plan, LetsControlsFollowTheirItemsAndThoseOfOtherPicturesComeLast) {
  auto tasks = two_tasks();
  OpenTask gray = tasks[1];
  gray.made_from = 1;
  OpenTask mismatch = gray;
  mismatch.comes_last = true;
  tasks.push_back(mismatch);
  tasks.push_back(gray);
  EXPECT_EQ(all_of(Plan(tasks, 2)),
            (std::vector<std::pair<uint32_t, uint64_t>>{
                {0, 0}, {0, 1}, {0, 5}, {0, 6}, {1, 0}, {3, 0}, {1, 1}, {3, 1}, {2, 0}, {2, 1}}));
}

TEST(IsOfShard, GivesEveryItemToOneShard) {
  for (int i = 0; i < 100; ++i) {
    tasks::Item item;
    item.id = std::to_string(i);
    if (i % 2 == 0) item.visuals = {{.name = item.id + ".jpg"}};
    int owners = 0;
    for (uint64_t shard = 0; shard < 3; ++shard) owners += is_of_shard({shard, 3}, &item, 0);
    EXPECT_EQ(owners, 1) << i;
  }
}

tasks::Item item_that_shows(const std::string& id, const std::vector<std::string>& pictures) {
  tasks::Item item;
  item.id = id;
  for (const std::string& picture : pictures) item.visuals.push_back({.name = picture});
  return item;
}

TEST(IsOfShard, KeepsItemsOfOnePictureTogether) {
  const tasks::Item one = item_that_shows("a", {"x.jpg", "y.jpg"});
  const tasks::Item other = item_that_shows("b", {"x.jpg"});
  for (uint64_t shard = 0; shard < 5; ++shard)
    EXPECT_EQ(is_of_shard({shard, 5}, &one, 0), is_of_shard({shard, 5}, &other, 9));
}

TEST(IsOfShard, KeepsWhatIsMadeOfOnePictureTogether) {
  tasks::Item plain, cropped;
  plain.visuals = {{.name = "x.jpg"}};
  cropped.visuals = {{.name = "x.jpg cropped", .group = "x.jpg"}};
  EXPECT_EQ(place_of(&plain, 0), place_of(&cropped, 5));
}

TEST(IsOfShard, TakesBadRecordsByPosition) {
  EXPECT_TRUE(is_of_shard({1, 3}, nullptr, 4));
  EXPECT_FALSE(is_of_shard({2, 3}, nullptr, 4));
}

}  // namespace
}  // namespace snellen::run
