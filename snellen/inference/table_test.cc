// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "snellen/base/splitmix.h"

namespace snellen::inference {
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
  return [&asked](const models::AskVisitor& visitor) {
    for (const Asked& one : asked) visitor.visit({one.item, one.cells, one.task, place});
  };
}

const std::vector<Asked> kAsked = {{"1", {{"a", "x"}, {"a", "y"}, {"b", "x"}}},
                                   {"2", {{"b", "y"}, {"a", "x"}}},
                                   {"3", {{"a", "z"}, {"bad", "x"}}, 1}};

TEST(Table, CountsEachDistinctThingOnce) {
  Table plan(source(kAsked), {});
  EXPECT_EQ(plan.num_asks(), 3U);
  EXPECT_EQ(plan.num_cells(), 7U);
  EXPECT_EQ(plan.num_texts(), 3U);
  // "a" of both tasks is one file.
  EXPECT_EQ(plan.num_visuals(), 3U);
  EXPECT_FALSE(plan.visual(2));
  models::Ask last{kAsked[2].item, kAsked[2].cells, 1, place};
  EXPECT_EQ(plan.visual_id(last, "a"), 0U);
}

TEST(Table, ListsTheTextsOfEachVisual) {
  Table plan(source(kAsked), {.has_visuals = true, .has_pairs = true});
  EXPECT_EQ(plan.num_pairs(), 6U);
  EXPECT_THAT(plan.texts_of(0), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(plan.texts_of(1), testing::ElementsAre(0, 1));
  EXPECT_EQ(plan.pair_id(1, 1), 4U);
}

TEST(Table, OrdersJobsByTheAskThatNeedsThemFirst) {
  Table plan(source(kAsked), {});
  std::vector<Job> jobs = plan.jobs(/*visuals_per_job=*/2, /*texts_per_job=*/1);
  ASSERT_EQ(jobs.size(), 5U);
  EXPECT_EQ(jobs[0].kind, Job::Kind::kTexts);
  EXPECT_EQ(jobs[2].kind, Job::Kind::kVisuals);
  EXPECT_EQ(jobs[2].end, 2U);
  EXPECT_EQ(jobs[3].first_ask, 2U);
  EXPECT_EQ(jobs[4].begin, 2U);
}

TEST(Table, NeedsNoVisualsForModelsOfText) {
  Table plan(source(kAsked), {.has_visuals = false, .has_pairs = false});
  EXPECT_EQ(plan.num_visuals(), 0U);
  EXPECT_EQ(plan.num_texts(), 3U);
}

// Asks of a few things in many mixtures, over two tasks.
std::vector<Asked> mixed_asks(std::vector<std::string>& names) {
  constexpr uint64_t kNames = 30;
  for (uint64_t i = 0; i < kNames; ++i) names.push_back(fmt::format("thing {}", i));
  std::vector<Asked> asked;
  for (uint64_t i = 0; i < 2000; ++i) {
    Asked one{.item = names[0], .cells = {}, .task = static_cast<uint32_t>(splitmix64(i) % 2)};
    for (uint64_t cell = 0; cell < 1 + i % 3; ++cell) {
      const uint64_t drawn = splitmix64(10 * i + cell);
      one.cells.push_back({names[drawn % kNames], names[(drawn >> 32) % kNames]});
    }
    asked.push_back(std::move(one));
  }
  return asked;
}

TEST(Table, IsTheSameWhereKnownAsksAreOnlyPassed) {
  std::vector<std::string> names;
  const std::vector<Asked> asked = mixed_asks(names);
  for (const TableOptions& options : {TableOptions{},
                                      TableOptions{.has_visuals = true, .has_pairs = true},
                                      TableOptions{.has_visuals = false}}) {
    uint64_t num_passed = 0;
    const Table whole(source(asked), options);
    const Table passing(
        [&](const models::AskVisitor& visitor) {
          for (const Asked& one : asked) {
            const models::Ask ask{one.item, one.cells, one.task, place};
            const bool is_known = visitor.is_known(ask);
            num_passed += is_known ? 1 : 0;
            is_known ? visitor.pass(one.cells.size()) : visitor.visit(ask);
          }
        },
        options);
    EXPECT_GT(num_passed, options.has_pairs ? 400U : 1500U);
    EXPECT_EQ(passing.num_asks(), whole.num_asks());
    EXPECT_EQ(passing.num_cells(), whole.num_cells());
    ASSERT_EQ(passing.num_visuals(), whole.num_visuals());
    ASSERT_EQ(passing.num_texts(), whole.num_texts());
    for (uint32_t id = 0; id < whole.num_texts(); ++id) EXPECT_EQ(passing.text(id), whole.text(id));
    for (uint32_t id = 0; id < whole.num_visuals(); ++id) {
      EXPECT_EQ(passing.visual(id)->path, whole.visual(id)->path);
      if (options.has_pairs) {
        EXPECT_THAT(passing.texts_of(id), testing::ElementsAreArray(whole.texts_of(id)));
      }
    }
    const std::vector<Job> jobs = whole.jobs(1, 1), same = passing.jobs(1, 1);
    ASSERT_EQ(same.size(), jobs.size());
    for (size_t i = 0; i < jobs.size(); ++i) {
      EXPECT_EQ(same[i].begin, jobs[i].begin);
      EXPECT_EQ(same[i].first_ask, jobs[i].first_ask);
    }
  }
}

TEST(ContentKey, TellsContentsApart) {
  EXPECT_EQ(content_key("abcdefghi"), content_key("abcdefghi"));
  EXPECT_FALSE(content_key("abcdefghi") == content_key("abcdefgh"));
  EXPECT_FALSE(content_key(std::string_view("\0", 1)) == content_key(""));
  EXPECT_FALSE(content_key("a", 0) == content_key("a", 1));
}

}  // namespace
}  // namespace snellen::inference
