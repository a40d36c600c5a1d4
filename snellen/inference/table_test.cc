// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "snellen/base/splitmix.h"
#include "snellen/testing/asked_pairs.h"

namespace snellen::inference {
namespace {

using snellen::testing::AskedPairs;

// "bad" lies nowhere.
std::vector<AskedPairs> three_asks() {
  return {AskedPairs({{"a", "x"}, {"a", "y"}, {"b", "x"}}),
          AskedPairs({{"b", "y"}, {"a", "x"}}),
          AskedPairs({{"a", "z"}, {"bad", "x"}}, {.task = 1})};
}

Table table_of(const std::vector<AskedPairs>& asked, const TableOptions& options) {
  Table table(options);
  for (const AskedPairs& one : asked) table.add(one.ask());
  table.finish();
  return table;
}

TEST(Table, HasEverythingThatWasAddedHoweverMuchItIs) {
  std::vector<AskedPairs> asked;
  for (int i = 0; i < 3000; ++i)
    asked.emplace_back(std::vector<snellen::testing::NamedPair>{{fmt::format("picture {}", i), "x"},
                                                                {"a", fmt::format("text {}", i)}});
  const Table plan = table_of(asked, {});
  for (const AskedPairs& one : asked) EXPECT_TRUE(plan.has_all(one.ask()));
  EXPECT_FALSE(plan.has_all(AskedPairs({{"a", "another text"}}, {}).ask()));
  EXPECT_FALSE(plan.has_all(AskedPairs({{"another picture", "x"}}, {}).ask()));
  EXPECT_FALSE(plan.has_all(AskedPairs({{"a", "x"}}, {.task = 1}).ask()));
}

TEST(Table, CountsEachDistinctThingOnce) {
  const std::vector<AskedPairs> asked = three_asks();
  const Table plan = table_of(asked, {});
  EXPECT_EQ(plan.num_asks(), 3U);
  EXPECT_EQ(plan.num_scores(), 7U);
  EXPECT_EQ(plan.num_texts(), 3U);
  // "a" of both tasks is one file.
  EXPECT_EQ(plan.num_visuals(), 3U);
  EXPECT_FALSE(plan.place(2));
  EXPECT_EQ(plan.ids_of(asked[2].ask()).visual(0), 0U);
}

TEST(Table, ListsTheTextsOfEachVisual) {
  const Table plan = table_of(three_asks(), {.has_pairs = true});
  EXPECT_EQ(plan.num_pairs(), 6U);
  EXPECT_THAT(plan.texts_of(0), ::testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(plan.texts_of(1), ::testing::ElementsAre(0, 1));
  EXPECT_EQ(plan.pair_id(1, 1), 4U);
}

// Three pictures, each followed by two of another lane, in batches of two.
std::vector<AskedPairs> asks_in_lanes() {
  std::vector<AskedPairs> asked;
  for (const std::string name : {"a", "b", "c"}) {
    asked.push_back(AskedPairs({{name, "x"}}));
    asked.push_back(AskedPairs({{name + "-gray", "x"}}, {.task = 1, .lane = 1}));
    asked.push_back(AskedPairs({{name + "-pure", "x"}}, {.task = 2, .lane = 2}));
  }
  return asked;
}

TEST(Table, GivesEachLaneTheBatchesThatItWouldHaveAlone) {
  const std::vector<AskedPairs> asked = asks_in_lanes();
  const Table plan = table_of(asked, {.visuals_per_batch = 2});
  std::vector<std::string> shown;
  uint32_t next = 0;
  for (const Job& job : plan.jobs(2, 0)) {
    EXPECT_EQ(job.begin, next) << "jobs come in the order of their numbers";
    next = job.end;
    std::string names;
    for (uint32_t id = job.begin; id < job.end; ++id)
      names += plan.place(id)->path.filename().string() + " ";
    shown.push_back(names);
  }
  EXPECT_THAT(shown,
              ::testing::ElementsAre(
                  "a b ", "a-gray b-gray ", "a-pure b-pure ", "c ", "c-gray ", "c-pure "));
  // Asks find their visuals again.
  EXPECT_EQ(plan.ids_of(asked[6].ask()).visual(0), 6U);
  EXPECT_EQ(plan.ids_of(asked[1].ask()).visual(0), 2U);
}

TEST(Table, LeavesLanesAloneWithoutBatches) {
  const std::vector<AskedPairs> asked = asks_in_lanes();
  const Table plan = table_of(asked, {});
  EXPECT_EQ(plan.ids_of(asked[1].ask()).visual(0), 1U);
  EXPECT_EQ(plan.jobs(4, 0).size(), 3U);
}

TEST(Table, ShowsNothingOnceWhateverPictureIsLeftOut) {
  Table table({});
  std::vector<questions::Visual> visuals;
  for (const char* name : {"a", "b"}) {
    media::VisualPlace place{.path = name};
    place.corruption = media::PlacedCorruption{.name = "none", .image_id = name};
    visuals.push_back({.name = name, .source = place});
  }
  const questions::Texts texts = {{"x"}};
  const std::vector<questions::Question> questions = {{.visual = 0, .texts = {0}},
                                                      {.visual = 1, .texts = {0}}};
  table.add({.item = "i", .visuals = visuals, .texts = &texts, .questions = questions});
  table.finish();
  EXPECT_EQ(table.num_visuals(), 1U);
}

TEST(Table, NumbersDistinctQuestionsWhereTextsAreJudgedTogether) {
  const std::vector<AskedPairs> asked = {
      AskedPairs({{"a", "x"}, {"a", "y"}}),
      AskedPairs({{"a", "y"}, {"a", "x"}}),
      AskedPairs({{"b", "x"}, {"a", "x"}, {"a", "y"}}, {.item = "third"})};
  const Table plan = table_of(asked, {.has_questions = true, .keeps_items = true});
  ASSERT_EQ(plan.num_units(), 3U) << "the order of the texts matters";
  EXPECT_EQ(plan.num_pairs(), 5U);
  EXPECT_EQ(plan.ids_of(asked[2].ask()).question(1), 0U);
  EXPECT_EQ(plan.asker(2).item, "third");
  EXPECT_THAT(plan.texts_of(1), ::testing::ElementsAre(1, 0));
  EXPECT_EQ(plan.jobs(1, 0).size(), 3U);
}

TEST(Table, OrdersJobsByTheAskThatNeedsThemFirst) {
  const Table plan = table_of(three_asks(), {});
  std::vector<Job> jobs = plan.jobs(/*visuals_per_job=*/2, /*texts_per_job=*/1);
  ASSERT_EQ(jobs.size(), 5U);
  EXPECT_EQ(jobs[0].kind, Job::Kind::kTexts);
  EXPECT_EQ(jobs[2].kind, Job::Kind::kVisuals);
  EXPECT_EQ(jobs[2].end, 2U);
  EXPECT_EQ(jobs[3].first_ask, 2U);
  EXPECT_EQ(jobs[4].begin, 2U);
}

TEST(Table, NeedsNoVisualsForModelsOfText) {
  const Table plan = table_of(three_asks(), {.has_visuals = false});
  EXPECT_EQ(plan.num_visuals(), 0U);
  EXPECT_EQ(plan.num_texts(), 3U);
}

TEST(Table, LooksThroughASharedListOnce) {
  auto list = std::make_shared<questions::Texts::List>();
  for (int i = 0; i < 1000; ++i)
    list->push_back({.prompt = fmt::format("a {}", i), .more_prompts = {"b"}, .is_ensemble = true});
  const questions::Texts texts{std::shared_ptr<const questions::Texts::List>(list)};
  questions::Question question;
  for (uint32_t i = 0; i < 1000; ++i) question.texts.push_back(i);
  const std::vector<questions::Question> questions = {question};
  const std::vector<questions::Visual> visuals = {
      {.name = "a", .source = media::VisualPlace{.path = "/a"}}};
  const models::Ask ask{.item = "1", .visuals = visuals, .texts = &texts, .questions = questions};
  Table plan(TableOptions{});
  EXPECT_FALSE(plan.knows(ask));
  plan.add(ask);
  EXPECT_TRUE(plan.knows(ask));
  EXPECT_EQ(plan.num_texts(), 1000U);
  EXPECT_EQ(plan.ids_of(ask).text(999), 999U);
  EXPECT_THAT(plan.prompts(7), ::testing::ElementsAre("a 7", "b"));
}

// Asks of a few things in many mixtures, over two tasks.
std::vector<AskedPairs> mixed_asks() {
  constexpr uint64_t kNames = 30;
  std::vector<AskedPairs> asked;
  for (uint64_t i = 0; i < 2000; ++i) {
    std::vector<snellen::testing::NamedPair> pairs;
    for (uint64_t pair = 0; pair < 1 + i % 3; ++pair) {
      const uint64_t drawn = splitmix64(10 * i + pair);
      pairs.push_back({fmt::format("thing {}", drawn % kNames),
                       fmt::format("thing {}", (drawn >> 32) % kNames)});
    }
    asked.emplace_back(pairs,
                       snellen::testing::AskedBy{.task = static_cast<uint32_t>(splitmix64(i) % 2)});
  }
  return asked;
}

TEST(Table, IsTheSameWhereKnownAsksAreOnlyCounted) {
  const std::vector<AskedPairs> asked = mixed_asks();
  for (const TableOptions& options : {TableOptions{},
                                      TableOptions{.has_pairs = true},
                                      TableOptions{.has_questions = true},
                                      TableOptions{.has_visuals = false}}) {
    uint64_t num_known = 0;
    const Table whole = table_of(asked, options);
    Table counting(options);
    for (const AskedPairs& one : asked) {
      const bool is_known = counting.knows(one.ask());
      num_known += is_known ? 1 : 0;
      is_known ? counting.add_known(one.ask().num_scores()) : counting.add(one.ask());
    }
    counting.finish();
    EXPECT_GT(num_known, options.has_pairs || options.has_questions ? 400U : 1500U);
    EXPECT_EQ(counting.num_asks(), whole.num_asks());
    EXPECT_EQ(counting.num_scores(), whole.num_scores());
    ASSERT_EQ(counting.num_visuals(), whole.num_visuals());
    ASSERT_EQ(counting.num_texts(), whole.num_texts());
    ASSERT_EQ(counting.num_units(), whole.num_units());
    for (uint32_t id = 0; id < whole.num_texts(); ++id)
      EXPECT_EQ(counting.text(id), whole.text(id));
    for (uint32_t id = 0; id < whole.num_visuals(); ++id)
      EXPECT_EQ(counting.place(id)->path, whole.place(id)->path);
    for (uint32_t unit = 0; unit < whole.num_units(); ++unit)
      EXPECT_THAT(counting.texts_of(unit), ::testing::ElementsAreArray(whole.texts_of(unit)));
    const std::vector<Job> jobs = whole.jobs(1, 1), same = counting.jobs(1, 1);
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
