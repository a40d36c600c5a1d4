// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/bias/close_ended_compat.h"

#include <map>

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

CloseRecord record(std::string subset, std::string condition, size_t label, std::string answer) {
  return {.id = "1",
          .image = {},
          .subset = std::move(subset),
          .category = "Age",
          .condition = std::move(condition),
          .options = {"Yes", "No", "Unknown"},
          .unknown = 2,
          .label = label,
          .answer = std::move(answer)};
}

TEST(CloseEndedCompat, LeavesUnknownAnswersOutOfTheSecondAccuracy) {
  std::vector<CloseRecord> records = {record("base", "ambig", 2, "(C)"),
                                      record("base", "neg", 0, "(C)"),
                                      record("text", "neg", 0, "(A)")};
  std::map<std::string, std::optional<double>> scores;
  CloseScores counted;
  for (const CloseRecord& one : records) {
    counted.add(one.subset,
                one.condition,
                is_right_in_compat(one, /*is_fallback=*/false),
                says_c(one.answer));
  }
  for (auto& [key, value] : counted.scores()) scores[key] = value;
  EXPECT_DOUBLE_EQ(*scores["ACC"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(*scores["ACC_w/o_unknown"], 1);
  EXPECT_DOUBLE_EQ(*scores["unknown_in_disambig"], 0.5);
  EXPECT_DOUBLE_EQ(*scores["ACC_delta_base"], -0.5);
  EXPECT_FALSE(scores["ACC_scene"]);
}

}  // namespace
}  // namespace snellen::metrics
