// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/foil_intervals.h"

#include <gtest/gtest.h>

#include "snellen/base/rng.h"
#include "snellen/metrics/vilma/foil_probability.h"

namespace snellen::metrics {
namespace {

using Rows = std::vector<std::vector<double>>;

TEST(FoilIntervals, OfOneClipAreItsValues) {
  // Captions 0.9 and 0.4, foils 0.2 and 0.4: the captions win 3 pairs of 4 and tie one.
  const Rows rows = {{0.9, 0.2}, {0.4, 0.4}};
  const FoilIntervals intervals =
      foil_intervals(rows, std::vector<std::string>{"a", "a"}, {.replicates = 50});
  EXPECT_DOUBLE_EQ(intervals.auroc->low, 0.875);
  EXPECT_DOUBLE_EQ(intervals.auroc->high, 0.875);
  EXPECT_DOUBLE_EQ(intervals.p_c->low, 1.0);
  EXPECT_DOUBLE_EQ(intervals.p_f->high, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(intervals.min->low, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(intervals.acc->high, 0.75);
  EXPECT_EQ(intervals.acc->method, "cluster-bootstrap");
}

TEST(FoilIntervals, HoldTheValueAndDoNotDependOnThreads) {
  Rng rng(7);
  Rows rows;
  std::vector<std::string> clips;
  ScoreRows views;
  for (int i = 0; i < 200; ++i) {
    rows.push_back({rng.u01(), 0.8 * rng.u01(), 0.7 * rng.u01()});
    clips.push_back(std::to_string(i / 2));
  }
  for (const auto& row : rows) views.emplace_back(row);
  const FoilProbability value = foil_probability(views);
  const FoilIntervals one = foil_intervals(rows, clips, {.replicates = 500, .num_threads = 1});
  const FoilIntervals four = foil_intervals(rows, clips, {.replicates = 500, .num_threads = 4});
  EXPECT_LT(one.auroc->low, *value.auroc);
  EXPECT_GT(one.auroc->high, *value.auroc);
  EXPECT_LT(one.acc->low, value.acc);
  EXPECT_GT(one.acc->high, value.acc);
  EXPECT_EQ(one.auroc->low, four.auroc->low);
  EXPECT_EQ(one.min->high, four.min->high);
}

TEST(FoilIntervals, AreByFormulaWhereNoReplicatesAreAskedFor) {
  Rng rng(7);
  Rows rows;
  std::vector<std::string> clips;
  ScoreRows views;
  for (int i = 0; i < 60; ++i) {
    rows.push_back({rng.u01(), 0.55 * rng.u01()});
    clips.push_back(std::to_string(i / 3));
  }
  for (const auto& row : rows) views.emplace_back(row);
  const FoilProbability value = foil_probability(views);
  const FoilIntervals found = foil_intervals(rows, clips, {.replicates = 0});
  EXPECT_EQ(found.auroc->method, "jackknife-wilson");
  EXPECT_LT(found.auroc->low, *value.auroc);
  EXPECT_GT(found.auroc->high, *value.auroc);
  EXPECT_LT(found.p_c->low, value.p_c);
  EXPECT_GT(found.p_f->high, value.p_f);
  // The smaller of two is too low by chance: its upper end is further up.
  ASSERT_LT(value.p_f, value.p_c - 0.05);
  EXPECT_EQ(found.min->low, found.p_f->low);
  EXPECT_GT(found.min->high, found.p_f->high);
}

TEST(FoilIntervals, AreAbsentWhereTheValueIsNeverDefined) {
  const Rows rows = {{0.5}, {0.5}};  // no foil, and nothing is taken for anything
  const FoilIntervals intervals =
      foil_intervals(rows, std::vector<std::string>{"a", "b"}, {.replicates = 20});
  EXPECT_FALSE(intervals.auroc);
  EXPECT_FALSE(intervals.p_c);
  EXPECT_FALSE(intervals.min);
}

}  // namespace
}  // namespace snellen::metrics
