// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/summary.h"

#include <gtest/gtest.h>

namespace snellen::report {
namespace {

TEST(MetricsTable, ShowsIntervalCountAndReason) {
  store::Results results{.run = "r",
                         .metrics = {{.id = "t/a",
                                      .value = 0.5,
                                      .n = 4,
                                      .low = 0.15,
                                      .high = 0.85,
                                      .interval = "wilson",
                                      .chance = 0.25},
                                     {.id = "t/b", .n = 0, .reason = "no item was scored"},
                                     {.id = "t/by-category/color/a", .value = 1, .n = 1}}};
  std::string text = metrics_table(results, /*with_breakdowns=*/false).as_text();
  EXPECT_NE(text.find("[0.1500, 0.8500] wilson"), std::string::npos);
  EXPECT_NE(text.find("undefined"), std::string::npos);
  EXPECT_NE(text.find("no item was scored"), std::string::npos);
  EXPECT_EQ(text.find("color"), std::string::npos);
}

TEST(MetricsText, FitsAndFoldsWhatHasNoValue) {
  store::Results results{.run = "r",
                         .metrics = {{.id = "task/part/a",
                                      .value = 0.5,
                                      .n = 4,
                                      .low = 0.15,
                                      .high = 0.85,
                                      .interval = "wilson",
                                      .ties = 1},
                                     {.id = "task/part/b", .n = 0, .reason = "no item was scored"},
                                     {.id = "task/part/c", .n = 0, .reason = "no item was scored"},
                                     {.id = "task/average/a", .value = 0.25, .n = 8}}};
  const std::string text = metrics_text(results, /*with_breakdowns=*/true, 60);
  EXPECT_EQ(text,
            "metric           value  interval          n  chance\n"
            "--------------  ------  ----------------  -  ------\n"
            "task/average/a  0.2500                    8\n"
            "task/part/a     0.5000  [0.1500, 0.8500]  4\n"
            "intervals: wilson\n"
            "ties in 1 metrics: --wide shows them\n"
            "2 metrics have no value, for example task/part/b: no item\n"
            "was scored\n");
}

TEST(MetricsNumbers, KeepAllDigits) {
  store::Results results{
      .run = "r",
      .metrics = {{.id = "t/a", .value = 1.0 / 3, .n = 3, .low = 0.1, .high = 0.9, .interval = "w"},
                  {.id = "t/b", .n = 0, .reason = "none"}}};
  EXPECT_EQ(metrics_numbers(results, false).as_csv(),
            "metric,value,low,high,interval,n,ties,chance,higher_is_better,note\n"
            "t/a,0.3333333333333333,0.1,0.9,w,3,0,,true,\n"
            "t/b,,,,,0,0,,true,none\n");
}

TEST(TieWarning, ComesWhereMostDecisionsTie) {
  store::Results results{.run = "r",
                         .metrics = {{.id = "t/a", .value = 0, .n = 4, .ties = 2},
                                     {.id = "t/b", .value = 0, .n = 4, .ties = 3}}};
  EXPECT_NE(tie_warning(results).find("3 of 4 in t/b"), std::string::npos);
  results.metrics.pop_back();
  EXPECT_EQ(tie_warning(results), "");
}

}  // namespace
}  // namespace snellen::report
