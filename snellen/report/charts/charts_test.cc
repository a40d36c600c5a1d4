// SPDX-License-Identifier: Apache-2.0
// Charts are compared with files in golden/: numbers in, bytes out. To renew them after
// a change that was looked at: SNELLEN_RENEW_GOLDEN=1 report_test --gtest_filter='Charts.*'.
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/report/alpha_curve.h"
#include "snellen/report/charts/bar_chart.h"
#include "snellen/report/charts/radar_chart.h"
#include "snellen/report/charts/scatter_chart.h"
#include "snellen/report/line_chart.h"
#include "snellen/report/training_curves.h"

namespace snellen::report {
namespace {

using testing::HasSubstr;
using testing::Not;

void expect_golden(const std::string& svg, const std::string& name) {
  const std::filesystem::path file =
      std::filesystem::path(SNELLEN_SOURCE_DIR) / "snellen/report/charts/golden" / name;
  if (std::getenv("SNELLEN_RENEW_GOLDEN") != nullptr) write_text_file(file, svg);
  EXPECT_EQ(svg, read_text_file(file));
}

BarChart two_models() {
  return {.title = "Probe-C, composition split",
          .subtitle = "95 % intervals; dashed: chance",
          .groups = {"text", "image", "group"},
          .series = {{"clip",
                      {{0.61, 0.57, 0.65, 0.25, 613},
                       {0.48, 0.44, 0.52, 0.25, 613},
                       {0.35, 0.31, 0.39, 1.0 / 6, 613}}},
                     {"blip",
                      {{0.93, 0.9, 0.95, 0.25, 613},
                       {.value = std::nan("")},
                       {0.88, 0.85, 0.9, 1.0 / 6, 613}}}}};
}

TEST(Charts, DrawsBarsWithIntervalsAndChance) {
  const BarChart chart = two_models();
  expect_golden(bars_as_svg(std::span(&chart, 1)), "bars.svg");
}

TEST(Charts, DrawsBarsAroundZero) {
  const BarChart chart{.title = "Change of confidence",
                       .groups = {"animal", "vehicle", "a long name of a category", "food"},
                       .series = {{"clip", {{0.1, 0.05, 0.15}, {-0.2, -0.3, -0.1}, {0.02}, {0}}}},
                       .is_share = false};
  expect_golden(bars_as_svg(std::span(&chart, 1)), "bars-around-zero.svg");
}

TEST(Charts, DrawsAPolygonPerModel) {
  const RadarChart chart{.title = "Probe-R",
                         .axes = {"a, acc", "b, acc", "a, conf", "b, conf"},
                         .series = {{"clip", {{0.5, 0.45, 0.55}, {0.9}, {0.6}, {0.8}}},
                                    {"blip", {{0.8}, {0.95}, {.value = std::nan("")}, {0.9}}}}};
  expect_golden(radar_as_svg(chart), "radar.svg");
}

TEST(Charts, DrawsPointsOfSeveralKinds) {
  const ScatterChart chart{.title = "clip",
                           .kinds = {"right relation", "swapped"},
                           .points = {{0, 0, 0}, {1, 2, 1}, {-3, 1, 0}, {2, -2, 1}}};
  expect_golden(scatter_as_svg(std::span(&chart, 1)), "scatter.svg");
}

TEST(Charts, DrawsLinesWithBandsLevelsAndGaps) {
  const LineChart chart{
      .title = "direction",
      .subtitle = "n 200, interval 95 %",
      .x_title = "step",
      .lines = {{"mine", {{0, 0.5, 0.4, 0.6}, {10, std::nan("")}, {20, 0.7, 0.6, 0.8}, {30, 0.75}}},
                {"raw", {{0, 0.45}, {15, 0.55}, {30, 0.7}}, /*is_thin=*/true}},
      .is_share = true,
      .level = 0.5,
      .level_name = "chance",
      .mark = 20,
      .mark_name = "best"};
  expect_golden(charts_as_svg({&chart, 1}, 1), "lines.svg");
}

TEST(Charts, DrawsASweepOfAlpha) {
  std::vector<AlphaRow> rows;
  for (const double alpha : {0.0, 0.25, 0.5, 1.0})
    rows.push_back({alpha,
                    "",
                    {{.id = "direction",
                      .value = 0.5 + alpha / 4,
                      .n = 200,
                      .low = 0.45 + alpha / 4,
                      .high = 0.55 + alpha / 4,
                      .chance = 0.5},
                     {.id = "naming", .value = 0.9 - alpha / 8, .n = 50}}});
  expect_golden(alpha_curve_svg(rows, 2), "sweep.svg");
}

TEST(Charts, DrawsATraining) {
  TrainingCurves curves;
  for (int step = 1; step <= 40; ++step) {
    curves.steps.push_back(step);
    curves.losses.push_back(step == 17 ? std::nan("") : 2.0 / step + (step % 3) / 8.0);
  }
  for (const uint64_t step : {uint64_t{0}, uint64_t{20}, uint64_t{40}})
    curves.evaluations.push_back({step,
                                  2.5 / static_cast<double>(step + 1),
                                  {{.id = "naming",
                                    .value = 0.875,
                                    .n = 64,
                                    .low = 0.75,
                                    .high = 0.9375,
                                    .chance = 0.125}}});
  expect_golden(training_curves_svg(curves), "training.svg");
}

TEST(Charts, EscapesTextsOfRuns) {
  BarChart chart = two_models();
  chart.series[0].name = "<script>alert(1)</script>";
  chart.groups[0] = "\"><img onerror=x>";
  const std::string svg = bars_as_svg(std::span(&chart, 1));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, Not(HasSubstr("<img")));
}

TEST(Charts, GiveTheSameBytesEveryTime) {
  const BarChart chart = two_models();
  EXPECT_EQ(bars_as_svg(std::span(&chart, 1)), bars_as_svg(std::span(&chart, 1)));
}

}  // namespace
}  // namespace snellen::report
