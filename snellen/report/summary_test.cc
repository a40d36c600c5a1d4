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

}  // namespace
}  // namespace snellen::report
