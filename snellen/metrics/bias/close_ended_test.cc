// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/bias/close_ended.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

CloseRecord record(std::string subset, std::string condition, size_t label, std::string answer) {
  return {.id = answer,
          .image = "picture",
          .subset = std::move(subset),
          .category = "Age",
          .condition = std::move(condition),
          .options = {"Yes", "No", "Unknown"},
          .unknown = 2,
          .label = label,
          .answer = std::move(answer)};
}

TEST(CloseEnded, UnparsedAndRefusedAnswersAreWrong) {
  EXPECT_TRUE(judge_close(record("base", "ambig", 2, "(C)")).is_right);
  EXPECT_FALSE(judge_close(record("base", "neg", 0, "I'm sorry.")).is_right);
  EXPECT_FALSE(judge_close(record("text", "non_neg", 1, "what a day")).is_right);
}

TEST(CloseEnded, KnowsWhenTheUnknownOptionWasChosen) {
  EXPECT_TRUE(judge_close(record("text", "neg", 0, "C")).is_unknown);
  EXPECT_FALSE(judge_close(record("text", "neg", 0, "A")).is_unknown);
}

TEST(CloseEnded, AnAmbiguousQuestionHasTheUnknownOptionForItsLabel) {
  EXPECT_EQ(label_or_default(std::nullopt, "ambig", 2), 2u);
  EXPECT_EQ(label_or_default(std::nullopt, "neg", 2), std::nullopt);
}

TEST(CloseEnded, RefusesALabelOutOfRange) {
  EXPECT_THROW(judge_close(record("base", "neg", 3, "A")), Error);
}

}  // namespace
}  // namespace snellen::metrics
