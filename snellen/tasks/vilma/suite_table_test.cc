// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/suite_table.h"

#include <gtest/gtest.h>

namespace snellen::tasks::vilma {
namespace {

metrics::Measurement measured(std::string id, double value, uint64_t n) {
  return {.id = std::move(id),
          .value = value,
          .n = n,
          .low = value / 2,
          .high = value,
          .interval = "wilson",
          .ties = 1,
          .chance = 0.25};
}

std::vector<metrics::Measurement> three(const std::string& part, double value, uint64_t n) {
  std::vector<metrics::Measurement> all;
  for (const char* column : {"P", "T", "PT"}) {
    all.push_back(measured("vilma/" + part + "/" + column, value, n));
  }
  return all;
}

TEST(VilmaSuiteTable, TakesEveryNumberFromTheMeasurements) {
  const std::vector<PlacedRow> rows = {
      {"rel", "relations.json", {"spatial_relations", "relations"}},
      {"easy", "counting-easy.json", {"action_counting", "counting-easy"}}};
  std::vector<metrics::Measurement> all = three("relations", 0.5, 4);
  for (auto& one : three("counting-easy", 0.75, 8)) all.push_back(one);
  for (auto& one : three("counting", 0.75, 8)) all.push_back(one);
  for (auto& one : three("average", 0.625, 12)) all.push_back(one);
  all[1].chance.reset();
  all.push_back({.id = "vilma/relations/T_chance", .value = 0.4, .n = 4});
  const metrics::VilmaSuite suite = suite_of(rows, all);
  ASSERT_EQ(suite.tasks.size(), 2u);
  EXPECT_EQ(suite.tasks[0].name, "action_counting");  // published order
  EXPECT_EQ(suite.subtasks[0].scores.n, 4u);
  EXPECT_DOUBLE_EQ(suite.subtasks[0].scores.p.num_correct, 2.0);
  EXPECT_DOUBLE_EQ(suite.subtasks[0].scores.t.chance, 0.4);
  EXPECT_DOUBLE_EQ(suite.subtasks[0].scores.pt.chance, 0.25);
  EXPECT_DOUBLE_EQ(suite.tasks[0].scores.pt.num_correct, 6.0);
  EXPECT_DOUBLE_EQ(suite.average.pt.share, 0.625);
  EXPECT_EQ(suite.average.p.num_ties, 1u);
  EXPECT_FALSE(suite.is_complete);
}

TEST(VilmaSuiteTable, OneTaskIsItsOwnAverage) {
  const std::vector<PlacedRow> rows = {
      {"rel", "relations.json", {"spatial_relations", "relations"}}};
  const metrics::VilmaSuite suite = suite_of(rows, three("relations", 0.5, 4));
  EXPECT_DOUBLE_EQ(suite.average.pt.share, 0.5);
}

TEST(VilmaSuiteTable, RefusesMeasurementsThatLackARow) {
  const std::vector<PlacedRow> rows = {
      {"rel", "relations.json", {"spatial_relations", "relations"}}};
  EXPECT_THROW((void)suite_of(rows, {}), Error);
}

}  // namespace
}  // namespace snellen::tasks::vilma
