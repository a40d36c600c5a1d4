// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/gate_text.h"

#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace snellen::report {
namespace {

GateVerdict verdict() {
  GateCheck met{
      .requirement = parse_requirement("low(t/acc)>=0.4", Bound::kPoint),
      .measured =
          {.id = "t/acc", .value = 0.5, .n = 10, .low = 0.4, .high = 0.6, .interval = "wilson"},
      .compared = 0.4,
      .threshold = 0.4,
      .is_met = true};
  GateCheck unmet{.requirement = parse_requirement("t/by-category/a|b/acc>=0", Bound::kPoint),
                  .measured = {.id = "t/by-category/a|b/acc", .n = 0, .reason = "<img src=x>"},
                  .threshold = 0.0,
                  .reason = "the run's value is over no item: <img src=x>"};
  return {.run = "runs/x", .model = "[m](http://y)", .num_unscored = 3, .checks = {met, unmet}};
}

TEST(GateText, ShowsEveryRequirementWithValueIntervalAndCount) {
  std::string text = verdict_as_text(verdict());
  EXPECT_NE(text.find("[0.4000, 0.6000] wilson"), std::string::npos);
  EXPECT_NE(text.find("low 0.4000"), std::string::npos);
  EXPECT_NE(text.find("NOT MET"), std::string::npos);
  EXPECT_NE(text.find("failed: 1 of 2 requirements met"), std::string::npos);
  EXPECT_NE(text.find("3 items of the run failed"), std::string::npos);
}

TEST(GateText, FitsATerminal) {
  GateVerdict wide = verdict();
  wide.warnings = {std::string(30, 'x') + " " + std::string(60, 'y')};
  std::istringstream lines(verdict_as_text(wide, 80));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(GateText, EscapesForACiPage) {
  std::string page = verdict_as_markdown(verdict());
  EXPECT_EQ(page.find("## Snellen gate: failed\n"), 0U);
  EXPECT_NE(page.find("a\\|b"), std::string::npos);
  EXPECT_NE(page.find("\\<img src=x\\>"), std::string::npos);
  EXPECT_NE(page.find("\\[m\\](http://y)"), std::string::npos);
}

TEST(GateText, SaysTheSameInJson) {
  nlohmann::json json = nlohmann::json::parse(verdict_as_json(verdict()));
  EXPECT_EQ(json["verdict"], "failed");
  EXPECT_EQ(json["requirements"][0]["met"], true);
  EXPECT_EQ(json["requirements"][0]["compared"], 0.4);
  EXPECT_TRUE(json["requirements"][1]["compared"].is_null());
  EXPECT_TRUE(json["requirements"][1]["measured"]["value"].is_null());
}

}  // namespace
}  // namespace snellen::report
