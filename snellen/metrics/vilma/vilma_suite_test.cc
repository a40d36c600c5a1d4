// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/vilma_suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/metrics/vilma/vilma_leaderboard.h"
#include "snellen/metrics/vilma/vilma_suite_text.h"

namespace snellen::metrics {
namespace {

using testing::HasSubstr;

// One item per letter pair: "RW" is right in proficiency and wrong in the test.
VilmaSubtaskReport row(std::string name,
                       std::string task,
                       std::string letters,
                       size_t num_foils = 1) {
  VilmaSubtaskReport report{name, name + ".json", std::move(task), name, {}};
  for (size_t i = 0; i < letters.size(); i += 2) {
    FoilRow item;
    item.id = name + std::to_string(i);
    item.num_foils = num_foils;
    item.num_prof_foils = 1;
    item.proficiency = FoilDecision{.credit = letters[i] == 'R' ? 1.0 : 0.0, .margin = {}};
    item.test = FoilDecision{.credit = letters[i + 1] == 'R' ? 1.0 : 0.0, .margin = {}};
    item.credit = item.proficiency->credit * item.test.credit;
    report.pairs.rows.push_back(std::move(item));
  }
  return report;
}

std::vector<VilmaSubtaskReport> five_tasks() {
  return {row("easy", "action_counting", "RRRW"),
          row("swap", "situation_awareness", "RRRR"),
          row("cs", "change_of_state", "WRWR"),
          row("verb", "rare_actions", "RRWW"),
          row("rel", "spatial_relations", "RR")};
}

TEST(VilmaSuite, PoolsItemsWithinATask) {
  const std::vector<VilmaSubtaskReport> rows = {row("easy", "action_counting", "RRRRRRRW"),
                                                row("hard", "action_counting", "WRWW")};
  const VilmaSuite suite = vilma_suite(rows);
  ASSERT_EQ(suite.tasks.size(), 1u);
  EXPECT_EQ(suite.tasks[0].scores.n, 6u);
  EXPECT_DOUBLE_EQ(suite.tasks[0].scores.p.share, 4.0 / 6.0);
  EXPECT_DOUBLE_EQ(suite.tasks[0].scores.t.share, 4.0 / 6.0);
  EXPECT_DOUBLE_EQ(suite.tasks[0].scores.pt.share, 3.0 / 6.0);  // not the mean of 0.75 and 0
  EXPECT_FALSE(suite.is_complete);
}

TEST(VilmaSuite, AveragesTasksUnweighted) {
  const VilmaSuite suite = vilma_suite(five_tasks());
  EXPECT_TRUE(suite.is_complete);
  EXPECT_EQ(suite.average.n, 9u);
  EXPECT_DOUBLE_EQ(suite.average.pt.share, (0.5 + 1.0 + 0.0 + 0.5 + 1.0) / 5.0);
}

TEST(VilmaSuite, KnowsTheChanceOfEachItem) {
  const std::vector<VilmaSubtaskReport> rows = {row("two", "situation_awareness", "RR", 2),
                                                row("one", "situation_awareness", "RR", 1)};
  const VilmaScores scores = vilma_suite(rows).tasks[0].scores;
  EXPECT_DOUBLE_EQ(scores.p.chance, 0.5);
  EXPECT_DOUBLE_EQ(scores.t.chance, (1.0 / 3.0 + 1.0 / 2.0) / 2.0);
  EXPECT_DOUBLE_EQ(scores.pt.chance, (1.0 / 6.0 + 1.0 / 4.0) / 2.0);
}

TEST(VilmaSuite, GivesWilsonIntervals) {
  const VilmaSuite suite = vilma_suite(five_tasks());
  // 1 of 2 at 95 %: z = 1.959964; centre 0.5, half width z * sqrt(0.125 + z^2 / 16) / (1 + z^2 / 2)
  // = 0.405469.
  EXPECT_NEAR(suite.subtasks[0].scores.t.interval->low, 0.094531, 1e-6);
  EXPECT_NEAR(suite.subtasks[0].scores.t.interval->high, 0.905469, 1e-6);
  EXPECT_LT(suite.average.t.interval->low, suite.average.t.share);
  EXPECT_GT(suite.average.t.interval->high, suite.average.t.share);
  EXPECT_LE(suite.average.p.interval->high, 1.0);
}

TEST(VilmaSuite, WidensTheIntervalOfHalfCredits) {
  VilmaSubtaskReport report = row("rel", "spatial_relations", "RRRW");
  report.pairs.rows[1].test.credit = 0.5;
  const std::vector<VilmaSubtaskReport> rows = {report};
  const stats::Interval got = *vilma_suite(rows).subtasks[0].scores.t.interval;
  EXPECT_DOUBLE_EQ(got.low, stats::wilson(1, 2, 0.95)->low);
  EXPECT_DOUBLE_EQ(got.high, stats::wilson(2, 2, 0.95)->high);
}

TEST(VilmaSuite, RefusesTheSameItemTwiceInATask) {
  const std::vector<VilmaSubtaskReport> rows = {row("sec", "action_counting", "RR"),
                                                row("sec", "action_counting", "RR")};
  try {
    (void)vilma_suite(rows);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("item 'sec0' is in two rows of task action_counting"));
  }
}

TEST(VilmaSuite, RefusesNothingToReport) {
  EXPECT_THROW((void)vilma_suite({}), Error);
  const std::vector<VilmaSubtaskReport> empty = {row("rel", "spatial_relations", "")};
  EXPECT_THROW((void)vilma_suite(empty), Error);
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
  const std::vector<VilmaLeader> leaders = vilma_leaders_with(vilma_suite(five_tasks()), "mine");
  ASSERT_EQ(leaders.size(), 18u);
  EXPECT_TRUE(leaders[0].is_ours);  // 60.0 is above BLIP2's 57.5
  EXPECT_EQ(leaders[0].average, 60.0);
  EXPECT_EQ(leaders[1].model, "BLIP2");
}

TEST(VilmaLeaderboard, HasNoAverageForPartOfTheTasks) {
  const std::vector<VilmaSubtaskReport> rows = {row("rel", "spatial_relations", "RR")};
  const VilmaSuite suite = vilma_suite(rows);
  const std::vector<VilmaLeader> leaders = vilma_leaders_with(suite, "mine|x");
  EXPECT_TRUE(leaders.back().is_ours);
  EXPECT_FALSE(leaders.back().average.has_value());
  EXPECT_EQ(leaders.back().percents[4], 100.0);
  EXPECT_THAT(vilma_suite_markdown(suite, leaders),
              HasSubstr("| **mine\\|x** | ours | - | - | - | - | 100.0 | - |"));
  EXPECT_THAT(vilma_suite_json(suite, leaders), HasSubstr("\"average\": null"));
}

}  // namespace
}  // namespace snellen::metrics
