// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/network/ask_plan.h"

#include <gmock/gmock.h>

namespace snellen::run {
namespace {

using models::Cell;

struct Asked {
  std::string item;
  std::vector<Cell> cells;
  uint32_t task = 0;
};

// Visuals lie below /pictures, whatever the task; "bad" lies nowhere.
Result<media::VisualPlace> place(std::string_view name) {
  if (name == "bad") return Error{ErrorCode::kInvalidInput, "no such place"};
  return media::VisualPlace{.path = std::filesystem::path("/pictures") / name};
}

models::AskSource source(const std::vector<Asked>& asked) {
  return [&asked](const std::function<void(const models::Ask&)>& visit) {
    for (const Asked& one : asked) visit({one.item, one.cells, one.task, place});
  };
}

const std::vector<Asked> kAsked = {{"1", {{"a", "x"}, {"a", "y"}, {"b", "x"}}},
                                   {"2", {{"b", "y"}, {"a", "x"}}},
                                   {"3", {{"a", "z"}, {"bad", "x"}}, 1}};

TEST(AskPlan, CountsEachDistinctThingOnce) {
  AskPlan plan(source(kAsked), {});
  EXPECT_EQ(plan.num_asks(), 3U);
  EXPECT_EQ(plan.num_cells(), 7U);
  EXPECT_EQ(plan.num_texts(), 3U);
  // "a" of both tasks is one file.
  EXPECT_EQ(plan.num_visuals(), 3U);
  EXPECT_FALSE(plan.visual(2));
  models::Ask last{kAsked[2].item, kAsked[2].cells, 1, place};
  EXPECT_EQ(plan.visual_id(last, "a"), 0U);
}

TEST(AskPlan, ListsTheTextsOfEachVisual) {
  AskPlan plan(source(kAsked), {.has_visuals = true, .has_pairs = true});
  EXPECT_EQ(plan.num_pairs(), 6U);
  EXPECT_THAT(plan.texts_of(0), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(plan.texts_of(1), testing::ElementsAre(0, 1));
  EXPECT_EQ(plan.pair_id(1, 1), 4U);
}

TEST(AskPlan, OrdersJobsByTheAskThatNeedsThemFirst) {
  AskPlan plan(source(kAsked), {});
  std::vector<Job> jobs = plan.jobs(/*visuals_a_job=*/2, /*texts_a_job=*/1);
  ASSERT_EQ(jobs.size(), 5U);
  EXPECT_EQ(jobs[0].kind, Job::Kind::kTexts);
  EXPECT_EQ(jobs[2].kind, Job::Kind::kVisuals);
  EXPECT_EQ(jobs[2].end, 2U);
  EXPECT_EQ(jobs[3].first_ask, 2U);
  EXPECT_EQ(jobs[4].begin, 2U);
}

TEST(AskPlan, NeedsNoVisualsForModelsOfText) {
  AskPlan plan(source(kAsked), {.has_visuals = false, .has_pairs = false});
  EXPECT_EQ(plan.num_visuals(), 0U);
  EXPECT_EQ(plan.num_texts(), 3U);
}

TEST(ContentKey, TellsContentsApart) {
  EXPECT_EQ(content_key("abcdefghi"), content_key("abcdefghi"));
  EXPECT_FALSE(content_key("abcdefghi") == content_key("abcdefgh"));
  EXPECT_FALSE(content_key(std::string_view("\0", 1)) == content_key(""));
  EXPECT_FALSE(content_key("a", 0) == content_key("a", 1));
}

}  // namespace
}  // namespace snellen::run
