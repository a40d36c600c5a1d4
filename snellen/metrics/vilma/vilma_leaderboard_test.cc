// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/vilma_leaderboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/metrics/vilma/vilma_suite_text.h"

namespace snellen::metrics {
namespace {

using testing::HasSubstr;

VilmaScores scores(double share) {
  const VilmaShare all{.share = share, .interval = stats::Interval{share, share, "wilson"}};
  return {.n = 2, .p = all, .t = all, .pt = all};
}

VilmaSuite suite_of(const std::vector<VilmaTask>& tasks, double average) {
  return {.subtasks = {},
          .tasks = tasks,
          .average = scores(average),
          .is_complete = tasks.size() == kVilmaTasks.size()};
}

TEST(VilmaLeaderboard, AveragesAreTheMeansOfTheirColumns) {
  const std::vector<VilmaLeader> leaders = published_vilma_leaders();
  EXPECT_EQ(leaders.size(), 17u);
  for (const VilmaLeader& leader : leaders) {
    double sum = 0.0;
    for (const auto& percent : leader.percents) sum += *percent;
    EXPECT_NEAR(sum / 5.0, *leader.average, 0.0501) << leader.model;  // one decimal was published
  }
}

TEST(VilmaLeaderboard, PlacesOurRowByItsAverage) {
  std::vector<VilmaTask> tasks;
  for (std::string_view name : kVilmaTasks) tasks.push_back({std::string(name), scores(0.6)});
  const VilmaSuite five = suite_of(tasks, 0.6);
  const std::vector<VilmaLeader> leaders = vilma_leaders_with(five, "mine");
  ASSERT_EQ(leaders.size(), 18u);
  EXPECT_TRUE(leaders[0].is_ours);  // 60.0 is above BLIP2's 57.5
  EXPECT_EQ(leaders[0].average, 60.0);
  EXPECT_EQ(leaders[1].model, "BLIP2");
}

TEST(VilmaLeaderboard, HasNoAverageForPartOfTheTasks) {
  const VilmaSuite suite = suite_of({{"spatial_relations", scores(1)}}, 1);
  const std::vector<VilmaLeader> leaders = vilma_leaders_with(suite, "mine");
  EXPECT_TRUE(leaders.back().is_ours);
  EXPECT_FALSE(leaders.back().average.has_value());
  EXPECT_EQ(leaders.back().percents[4], 100.0);
  EXPECT_THAT(vilma_suite_json(suite, leaders), HasSubstr("\"average\": null"));
}

}  // namespace
}  // namespace snellen::metrics
