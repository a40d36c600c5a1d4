// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/control_report.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

// Four items with two options, right option 0; 'r' right, 'w' wrong, '-' no answer.
ControlRun run(std::string name, bool is_blind, std::string_view marks) {
  ControlRun made{.name = std::move(name), .is_blind = is_blind};
  for (size_t i = 0; i < marks.size(); ++i) {
    ControlOutcome outcome{.id = std::to_string(i), .num_options = 2};
    if (marks[i] != '-') outcome.chosen = outcome.position = marks[i] == 'r' ? 0 : 1;
    made.outcomes.push_back(outcome);
  }
  return made;
}

TEST(ControlReport, ComparesEveryControlWithClean) {
  ControlReport report = report_controls(std::vector{
      run("clean", false, "rrrw"), run("none", true, "rw-w"), run("gray", true, "rwrr")});
  EXPECT_DOUBLE_EQ(*report.chance, 0.5);
  EXPECT_DOUBLE_EQ(*report.rows[0].accuracy, 0.75);
  EXPECT_FALSE(report.rows[0].visual_gain);
  EXPECT_DOUBLE_EQ(*report.rows[1].visual_gain, 0.5);
  EXPECT_EQ(report.rows[1].mcnemar->only_first, 2u);
  EXPECT_DOUBLE_EQ(*report.rows[1].agreement, 0.5);
  EXPECT_DOUBLE_EQ(*report.rows[1].leak_ratio, -1);
  EXPECT_DOUBLE_EQ(*report.rows[2].leak_ratio, 1);
  EXPECT_EQ(report.rows[1].letters, (std::vector<uint64_t>{1, 2}));
  EXPECT_DOUBLE_EQ(*report.blind_solvable, 0.25);
  EXPECT_EQ(report.text_solvable, std::vector<std::string>{"0"});
  EXPECT_DOUBLE_EQ(*report.majority_letter, 1);
}

TEST(ControlReport, LeakIsUndefinedWhenCleanIsNoBetterThanChance) {
  ControlReport report =
      report_controls(std::vector{run("clean", false, "rw"), run("none", true, "rr")});
  EXPECT_FALSE(report.rows[1].leak_ratio);
}

TEST(ControlReport, CircularAccuracyWantsEveryOrderRight) {
  std::vector<std::vector<ControlOutcome>> orders = {run("", false, "rrw").outcomes,
                                                     run("", false, "rwr").outcomes};
  EXPECT_DOUBLE_EQ(*circular_accuracy(orders), 1.0 / 3);
  EXPECT_FALSE(circular_accuracy({}));
}

TEST(ControlReport, NeedsCleanAndDistinctIds) {
  EXPECT_THROW(report_controls(std::vector{run("none", true, "r")}), Error);
  ControlRun twice = run("clean", false, "r");
  twice.outcomes.push_back(twice.outcomes.front());
  EXPECT_THROW(report_controls(std::vector{twice}), Error);
}

}  // namespace
}  // namespace snellen::metrics
