// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/bias/close_ended_compat.h"

#include <map>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

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
  for (auto& [key, value] : compat_close_scores(records, /*is_fallback=*/false))
    scores[key] = value;
  EXPECT_DOUBLE_EQ(*scores["ACC"], 2.0 / 3);
  EXPECT_DOUBLE_EQ(*scores["ACC_w/o_unknown"], 1);
  EXPECT_DOUBLE_EQ(*scores["unknown_in_disambig"], 0.5);
  EXPECT_DOUBLE_EQ(*scores["ACC_delta_base"], -0.5);
  EXPECT_FALSE(scores["ACC_scene"]);
}

TEST(CloseEndedCompat, PrefixDropsWhatItCannotMatch) {
  std::vector<CloseRecord> records = {record("base", "neg", 0, "Yes"),
                                      record("base", "neg", 0, "Perhaps")};
  MatchedScore score = matched_score(records, text::AnswerRule::kPrefix);
  EXPECT_EQ(score.unmatched, 1u);
  EXPECT_DOUBLE_EQ(*score.accuracy, 1);
  EXPECT_THROW(matched_score(records, text::AnswerRule::kParen), Error);
}

TEST(CloseEndedCompat, FindsTheSubsetByGlobalIndex) {
  EXPECT_EQ(subset_at(0, {2, 0, 1, 3}), "base");
  EXPECT_EQ(subset_at(2, {2, 0, 1, 3}), "scene_text");
  EXPECT_EQ(subset_at(5, {2, 0, 1, 3}), "text");
  EXPECT_THROW(subset_at(6, {2, 0, 1, 3}), Error);
}

}  // namespace
}  // namespace snellen::metrics
