// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/testing/in_memory_run.h"

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_control();

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

InMemoryRun::Flags flags(InMemoryRun::Flags more = {}) {
  const fs::path file = InMemoryRun::folder() / "control-questions.jsonl";
  write_text_file(file,
                  R"({"id": "q", "image": "p.v1.jpg", "context": "", "question": "Is it red?", )"
                  R"("options": ["Yes", "No", "Not enough information"], "unknown_index": 2, )"
                  R"("label": null, "category": "Race", "condition": "visual"})"
                  "\n");
  more.emplace_back("questions", file.string());
  return more;
}

// Says A as long as the picture is little corrupted.
questions::Scores look(const Item& item) {
  questions::Scores scores;
  for (const questions::Question& question : item.questions) {
    const auto place = item.visuals[question.visual].place();
    const bool is_seen = !place->corruption || place->corruption->name == "e2";
    scores.answers.emplace_back(is_seen ? "A" : "C");
  }
  return scores;
}

TEST(AskedControl, ShowsThePictureAtEveryLevelWithTheNoiseOfTheControl) {
  InMemoryRun run(*make_control(), {/*answers=*/true, look}, flags({{"seed", "7"}}));
  ASSERT_EQ(run.asked.size(), 1U);
  const Item& item = run.asked.front();
  ASSERT_EQ(item.questions.size(), 4U);
  EXPECT_EQ(item.texts.size(), 1U);
  EXPECT_FALSE(item.visuals[0].place()->corruption);
  const auto e3 = item.visuals[2].place()->corruption;
  EXPECT_EQ(e3->name, "e3");
  EXPECT_EQ(e3->seed, 7U);
  EXPECT_EQ(e3->image_id, "p.v1");
  EXPECT_EQ(item.visuals[2].place()->path, InMemoryRun::folder() / "p.v1.jpg");
  EXPECT_EQ(item.visuals[2].group, "p.v1.jpg");
  EXPECT_THAT(run.items[""][0].outcome.named.to_json(), HasSubstr(R"("answers": "AACC")"));
  auto pooled = run.pooled();
  EXPECT_EQ(pooled.at("control/image_reliance").value, 1);
  EXPECT_EQ(pooled.at("control/claim_holds").value, 1);
}

TEST(AskedControl, TheClaimAloneHasAChance) {
  InMemoryRun run(*make_control(), {/*answers=*/true, look}, flags());
  for (const Column& column : run.task().columns())
    EXPECT_EQ(column.chance,
              column.name == "claim_fraction" ? std::optional(1.0 / 3) : std::nullopt)
        << column.name;
}

TEST(AskedControl, ReplicatesDrawTheNoiseAgainAndShareTheCleanAnswer) {
  InMemoryRun run(*make_control(),
                  {/*answers=*/true, look},
                  flags({{"replicates", "2"}, {"orders", "2"}, {"levels", "clean,e2,pure"}}));
  ASSERT_EQ(run.asked.size(), 4U);
  EXPECT_EQ(run.asked[1].id, "q, replicate 1");
  EXPECT_EQ(run.asked[2].id, "q, order 1");
  EXPECT_EQ(run.asked[1].visuals[1].place()->corruption->replicate, 1U);
  EXPECT_EQ(run.asked[1].visuals[0].name, run.asked[0].visuals[0].name);
  EXPECT_NE(run.asked[1].visuals[1].name, run.asked[0].visuals[1].name);
  EXPECT_THAT(run.items[""][1].outcome.named.to_json(), HasSubstr(R"("asked": "011")"));
  // With the options in another order A is No and C is Yes.
  EXPECT_THAT(run.items[""][2].outcome.named.to_json(), HasSubstr(R"("answers": "BBA")"));
  EXPECT_EQ(run.pooled().at("control/replicates/agreement").value, 1);
}

TEST(AskedControl, EarlyStopLeavesOutWhatFollowsTheFirstC) {
  auto say = [](const Item&) { return questions::Scores{.answers = {"A", "C", "B", "A"}}; };
  InMemoryRun run(*make_control(), {/*answers=*/true, say}, flags({{"early-stop", "true"}}));
  EXPECT_THAT(run.items[""][0].outcome.named.to_json(), HasSubstr(R"("answers": "ACCC")"));
  EXPECT_THAT(run.items[""][0].outcome.named.to_json(), HasSubstr(R"("asked": "1100")"));
}

TEST(AskedControl, AServersRefusalIsARefusal) {
  auto say = [](const Item&) {
    return questions::Scores{.answers = {"A", "", "A", "C"},
                             .answer_facts = {{}, {.is_refused = true}, {.is_refused = true}, {}}};
  };
  InMemoryRun run(*make_control(), {/*answers=*/true, say}, flags());
  EXPECT_THAT(run.items[""][0].outcome.named.to_json(), HasSubstr(R"("answers": "ARRC")"));
}

TEST(AskedControl, ChoosesByScoresWhereTheModelGivesNoAnswers) {
  auto score = [](const Item& item) {
    questions::Scores scores;
    for (size_t level = 0; level < item.questions.size(); ++level) {
      const bool is_seen = level < 2;
      for (double value : {is_seen ? 1.0 : 0.0, 0.25, 0.5}) scores.values.push_back(value);
    }
    return scores;
  };
  InMemoryRun run(*make_control(), {/*answers=*/false, score}, flags());
  EXPECT_THAT(run.items[""][0].outcome.named.to_json(), HasSubstr(R"("answers": "AACC")"));
  EXPECT_EQ(run.pooled().at("control/clean/lead").value, 0.5);
  EXPECT_EQ(run.pooled().at("control/e4/lead").value, 0.25);
}

TEST(AskedControl, RefusesLevelsThatAreNoPicture) {
  for (const char* bad : {"clean,e9", "clean,mismatch", "clean,nothing"}) {
    EXPECT_THROW(InMemoryRun(*make_control(), {/*answers=*/true, look}, flags({{"levels", bad}})),
                 Error)
        << bad;
  }
  EXPECT_THROW(InMemoryRun(*make_control(),
                           {/*answers=*/true, look},
                           flags({{"levels", "clean,e2"}, {"sigmas", "0,50"}})),
               Error);
}

}  // namespace
}  // namespace snellen::tasks
