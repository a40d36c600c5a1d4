// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::tasks {
namespace {

using testing::ElementsAre;

annotations::CloseRow question() {
  annotations::CloseRow row;
  row.context = "It rains.";
  row.question = "Is it wet?";
  row.options = {"Yes", "No", "Unknown"};
  return row;
}

TEST(ClosePrompt, PutsLettersBeforeOptionsInThePresentedOrder) {
  EXPECT_EQ(
      close_prompt(PromptStyle::kLetters, question(), {2, 0, 1}),
      "It rains. Is it wet?\nA) Unknown\nB) Yes\nC) No\nReply with one letter only (A, B or C):");
  EXPECT_EQ(close_prompt(PromptStyle::kSeed, question(), {0, 1}),
            "It rains. Is it wet?\n(A) Yes\n(B) No");
}

TEST(ClosePrompt, PutsNoSpaceBetweenContextAndQuestionInTheReleaseForm) {
  EXPECT_THAT(
      close_prompt(PromptStyle::kVlbias, question(), {1, 0}),
      testing::EndsWith("\nQuestion: It rains.Is it wet?\nOptions:\nNo\nYes\n\nYour answer is:"));
}

TEST(OptionOrder, ShiftsFirstAndThenFollowsTheDictionary) {
  EXPECT_THAT(option_order(3, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(option_order(3, 2), ElementsAre(2, 0, 1));
  EXPECT_THAT(option_order(3, 3), ElementsAre(0, 2, 1));
  EXPECT_THAT(option_order(3, 5), ElementsAre(2, 1, 0));
  EXPECT_THROW(option_order(3, 6), Error);
  EXPECT_THROW(option_order(26, 26), Error);
}

TEST(ReleaseOrder, SwapsByNumberAndMovesTheUnknownOption) {
  EXPECT_THAT(release_order(0, 0, true, false), ElementsAre(2, 1, 0));
  EXPECT_THAT(release_order(1, 1, true, false), ElementsAre(0, 2, 1));
  EXPECT_THAT(release_order(3, 5, true, false), ElementsAre(0, 1, 2));
  EXPECT_THAT(release_order(2, 1, false, false), ElementsAre(1, 0));
  EXPECT_THAT(release_order(2, 1, false, true), ElementsAre(1, 2, 0));
}

}  // namespace
}  // namespace snellen::tasks
