// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/line_chart.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::report {
namespace {

using testing::HasSubstr;
using testing::Not;

LineChart small_chart() {
  return {.title = "a < b",
          .x_title = "step",
          .lines = {{.name = "mine", .points = {{0, 0.5, 0.4, 0.6}, {10, 0.75, 0.7, 0.8}}}},
          .is_share = true,
          .level = 0.5,
          .level_name = "chance"};
}

TEST(LineChart, EscapesTextsAndRunsNoScript) {
  LineChart chart = small_chart();
  chart.lines[0].name = "</text><script>alert(1)</script>";
  chart.lines.push_back(chart.lines[0]);
  std::string svg = charts_as_svg({&chart, 1}, 3);
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, HasSubstr("&lt;script&gt;"));
}

TEST(LineChart, DrawsLineBandLevelAndTheLastValue) {
  LineChart chart = small_chart();
  std::string svg = charts_as_svg({&chart, 1}, 1);
  EXPECT_THAT(svg, HasSubstr("75.0 %"));
  EXPECT_THAT(svg, HasSubstr("<polygon"));
  EXPECT_THAT(svg, HasSubstr("chance"));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_EQ(svg, charts_as_svg({&chart, 1}, 1));
}

TEST(LineChart, LeavesAGapWhereThereIsNoNumber) {
  LineChart chart = small_chart();
  chart.lines[0].points = {{0, 1}, {1, 2}, {2, NAN}, {3, 3}, {4, INFINITY}};
  chart.is_share = false;
  std::string svg = charts_as_svg({&chart, 1}, 1);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  size_t path = svg.find("class=\"l ");
  std::string drawn = svg.substr(path, svg.find("/>", path) - path);
  EXPECT_EQ(std::count(drawn.begin(), drawn.end(), 'M'), 2);
}

TEST(LineChart, SaysWhenThereIsNothingYet) {
  LineChart chart = {.title = "loss"};
  EXPECT_THAT(charts_as_svg({&chart, 1}, 1), HasSubstr("nothing yet"));
  EXPECT_THAT(charts_as_svg({}, 4), HasSubstr("</svg>"));
}

TEST(LineChart, DrawsOnePointAndEqualValues) {
  LineChart chart = {.title = "one", .lines = {{.name = "x", .points = {{5, 3}}}}};
  EXPECT_THAT(charts_as_svg({&chart, 1}, 1), Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace snellen::report
