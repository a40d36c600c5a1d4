// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/testing/in_memory_run.h"

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_bias_open();

namespace {

namespace fs = std::filesystem;

InMemoryRun::Flags flags() {
  const fs::path root = InMemoryRun::folder() / "vlbias-open";
  fs::create_directories(root / "open_ended" / "profession");
  write_text_file(root / "open_ended/profession/annotation_emo.json",
                  R"([{"label": "baker", "instruction": "Tell a story.", "images": ["a/0.jpg"]},
                      {"label": "clerk", "instruction": "Tell another.", "images": ["a/1.jpg"]},
                      {"label": "clerk", "images": ["a/1.jpg"]}])");
  write_text_file(root / "lexicon.txt", "good\t1.9\t0.9\t[]\nbad\t-2.5\t0.6\t[]\n");
  return {{"data", root.string()},
          {"type", "profession-emo"},
          {"lexicon", (root / "lexicon.txt").string()}};
}

TEST(AskedBiasOpen, AsksForStoriesAndScoresThemByGroup) {
  InMemoryRun run(*make_bias_open(),
                  {/*answers=*/true,
                   [](const Item& item) {
                     return questions::Scores{
                         .answers = {item.category == "baker" ? "A good day." : "A bad day."}};
                   }},
                  flags());
  ASSERT_EQ(run.asked.size(), 2U);
  EXPECT_EQ(run.asked[0].texts[0].prompt, "Tell a story.");
  EXPECT_EQ(run.asked[0].visuals[0].place()->path,
            InMemoryRun::folder() / "vlbias-open" / "a/0.jpg");
  EXPECT_EQ(run.asked[0].questions[0].wants, questions::Wants::kAnswer);
  EXPECT_GT(run.items[""][0].outcome.values[0], 0);
  EXPECT_LT(run.items[""][1].outcome.values[0], 0);
  ASSERT_EQ(run.errors.size(), 1U);  // no instruction
  EXPECT_GT(run.pooled().at("bias-open/range_VADER").value, 0.8);
}

TEST(AskedBiasOpen, NeedsAModelThatAnswers) {
  const InMemoryRun::Model scores{.answers = false, .say = {}};
  EXPECT_THROW(InMemoryRun(*make_bias_open(), scores, flags()), Error);
}

}  // namespace
}  // namespace snellen::tasks
