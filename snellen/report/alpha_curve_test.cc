// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/alpha_curve.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::report {
namespace {

using testing::HasSubstr;

AlphaRow row(double alpha, double exchanged, double naming) {
  return {.alpha = alpha,
          .folder = "",
          .scores = {{.id = "exchanged",
                      .value = exchanged,
                      .n = 100,
                      .low = exchanged - 0.1,
                      .high = exchanged + 0.1},
                     {.id = "naming", .value = naming, .n = 50}}};
}

TEST(BestAlpha, IsTheHighestThatHardlyDrifts) {
  std::vector<AlphaRow> rows = {
      row(0, 0.5, 0.90), row(0.5, 0.6, 0.88), row(0.75, 0.7, 0.87), row(1, 0.8, 0.60)};
  EXPECT_EQ(best_alpha(rows, {"exchanged", 0.03}), 1U);  // 0.75 falls by 0.03, and not by less
  EXPECT_EQ(best_alpha(rows, {"exchanged", 0.04}), 2U);
  EXPECT_EQ(best_alpha(rows, {"exchanged", 1}), 3U);
  EXPECT_EQ(best_alpha(rows, {"exchanged", 0.001}), 0U);
  EXPECT_EQ(best_alpha(rows, {"unknown", 0.03}), std::nullopt);
}

TEST(BestAlpha, OfEqualOnesMovesLeast) {
  std::vector<AlphaRow> rows = {row(1, 0.6, 0.9), row(0.5, 0.6, 0.9), row(0, 0.5, 0.9)};
  EXPECT_EQ(best_alpha(rows, {"exchanged", 0.03}), 1U);
}

TEST(BestAlpha, PassesByRowsWithoutANumber) {
  std::vector<AlphaRow> rows = {row(0, 0.5, 0.9), row(0.5, NAN, 0.9), row(1, 0.9, NAN)};
  EXPECT_EQ(best_alpha(rows, {"exchanged", 0.03}), 0U);
}

TEST(AlphaTable, ShowsIntervalsAndMarksTheChosen) {
  std::vector<AlphaRow> rows = {row(0, 0.5, 0.9), row(0.5, NAN, 0.9)};
  std::string text = alpha_table(rows, 1).as_text();
  EXPECT_THAT(text, HasSubstr("exchanged % (n 100)"));
  EXPECT_THAT(text, HasSubstr("50.0 (40.0 to 60.0)"));
  EXPECT_THAT(text, HasSubstr("0.5 *"));
  EXPECT_THAT(text, HasSubstr("none"));
}

TEST(AlphaCurve, HasAPanelForEachScoreAndTheMark) {
  std::vector<AlphaRow> rows = {row(0, 0.5, 0.9), row(1, 0.75, 0.8)};
  std::string svg = alpha_curve_svg(rows, 1);
  EXPECT_THAT(svg, HasSubstr("exchanged"));
  EXPECT_THAT(svg, HasSubstr("naming (drift)"));
  EXPECT_THAT(svg, HasSubstr("alpha 1"));
  EXPECT_THAT(alpha_curve_svg({}, std::nullopt), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace snellen::report
