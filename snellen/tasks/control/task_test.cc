// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/tasks/control/answers.h"
#include "snellen/testing/in_memory_run.h"

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_control();

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kLadders =
    R"([{"id": "p", "image": "i1", "category": "Age", "answers": "AACC"},
        {"id": "q", "image": "i1", "category": "Age", "answers": "ABBA"},
        {"id": "r", "image": "i2", "category": "SES", "answers": "CCAC"}])";

TEST(Control, MeasuresLaddersWrittenAsLetters) {
  InMemoryRun run(*make_control(), kLadders);
  auto pooled = run.pooled();
  EXPECT_DOUBLE_EQ(pooled.at("control/image_reliance").value, 0.5);
  EXPECT_EQ(pooled.at("control/image_reliance").n, 2U);
  EXPECT_EQ(pooled.at("control/image_reliance").interval, "");  // one picture
  EXPECT_THAT(pooled.at("control/image_reliance").reason, HasSubstr("too few clusters"));
  EXPECT_DOUBLE_EQ(pooled.at("control/persistence").value, 0.5);
  EXPECT_EQ(pooled.at("control/claim_holds").value, 0);
  EXPECT_THAT(pooled.at("control/claim_holds").reason, HasSubstr("1 of 3"));
  EXPECT_DOUBLE_EQ(pooled.at("control/normalized_gain").value, 0.5);
  EXPECT_EQ(pooled.at("control/by-category/SES/claim_holds").value, 1);
  EXPECT_THAT(pooled.at("control/by-category/SES/image_reliance").reason, HasSubstr("A or B"));
  // c at e2 is 1; the columns are c at four levels, flips at four levels, claim, monotone, ...
  EXPECT_EQ(run.items[""][0].outcome.values[2], 1);
  EXPECT_EQ(run.items[""][0].outcome.values[4 + 2], 1);
  EXPECT_EQ(run.items[""][2].outcome.values[9], 0);
}

std::string answer(std::string_view id,
                   std::string_view level,
                   std::string_view raw,
                   int replicate = 0) {
  return fmt::format(R"({{"id": "{}", "image": "i", "level": "{}", "replicate": {}, "raw": "{}"}})"
                     "\n",
                     id,
                     level,
                     replicate,
                     raw);
}

TEST(Control, GathersSingleAnswersAndSortsTheLevels) {
  InMemoryRun run(*make_control(),
                  answer("p", "pure", "Not enough information") + answer("p", "clean", "Yes") +
                      answer("p", "e4", "C") + answer("p", "e2", "(A)") +
                      answer("q", "clean", "B") + "{\n");
  ASSERT_EQ(run.items[""].size(), 1U);
  EXPECT_THAT(run.items[""][0].outcome.named.to_json(), HasSubstr(R"("answers": "AACC")"));
  ASSERT_EQ(run.errors.size(), 2U);
  EXPECT_THAT(run.errors[0].what(), HasSubstr("not answered at every level"));
  EXPECT_THAT(run.errors[1].what(), HasSubstr("line 6"));
  auto pooled = run.pooled();
  EXPECT_EQ(pooled.at("control/e4/claim_holds").value, 1);
  EXPECT_EQ(pooled.at("control/pure/claim_holds").value, 1);
  EXPECT_EQ(pooled.at("control/e2/claim_holds").value, 0);
}

TEST(Control, AgreementOverReplicatesLeavesTheSharedCleanAnswerOut) {
  InMemoryRun run(*make_control(),
                  answer("p", "clean", "A") + answer("p", "e2", "A") + answer("p", "e2", "C", 1));
  auto pooled = run.pooled();
  EXPECT_EQ(run.items[""].size(), 2U);
  EXPECT_EQ(pooled.at("control/replicates/agreement").n, 2U);
  EXPECT_DOUBLE_EQ(pooled.at("control/replicates/agreement").value, 0.5);
}

TEST(Control, AnswersGivenTwiceAreListed) {
  InMemoryRun run(*make_control(), answer("p", "clean", "A") + answer("p", "clean", "B"));
  ASSERT_EQ(run.errors.size(), 1U);
  EXPECT_THAT(run.errors[0].what(), HasSubstr("already answered at level clean"));
  EXPECT_EQ(run.items[""].size(), 1U);
}

TEST(Control, RefusalMeetsTheClaimOnlyWhenAsked) {
  std::string refused = answer("p", "clean", "A") + answer("p", "e4", "I'm sorry.");
  InMemoryRun strict(*make_control(), refused);
  EXPECT_EQ(strict.pooled().at("control/claim_holds").value, 0);
  InMemoryRun lax(*make_control(), refused, {{"refusal-as-unknown", "true"}});
  EXPECT_EQ(lax.pooled().at("control/claim_holds").value, 1);
}

TEST(Control, KnowsTheSigmaOfALevelByItsName) {
  EXPECT_EQ(control::sigma_of_level("clean"), 0);
  EXPECT_EQ(control::sigma_of_level("e3"), 1000);
  EXPECT_EQ(control::sigma_of_level("s250"), 250);
  EXPECT_EQ(control::sigma_of_level("gauss:25"), 25);
  EXPECT_EQ(control::sigma_of_level("pure"), std::nullopt);
  EXPECT_EQ(control::sigma_of_level("scene"), std::nullopt);
}

}  // namespace
}  // namespace snellen::tasks
