// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/task.h"

#include <cmath>

#include <gmock/gmock.h>

#include "snellen/base/files.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_file();

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;

class FileTaskTest : public testing::Test {
 protected:
  // The options a run declares and this task reads.
  std::unique_ptr<Task> open(const std::string& text, const std::string& ties = "") {
    write_text_file(path(), text);
    options_ = shared();
    if (!ties.empty()) options_.set("ties", ties, "test");
    return reopen();
  }
  std::unique_ptr<Task> reopen() {
    return make_file()->open(
        {.options = options_, .model = "m", .is_compat = false, .argument = path().string()});
  }
  static std::filesystem::path path() {
    return std::filesystem::path(testing::TempDir()) / "file_task" / "items.jsonl";
  }

  // Where the picture of the first item lies.
  static media::VisualPlace picture(const Task& task) {
    return task.item(0)->visuals[0].place().value();
  }

  static config::Options shared() {
    return config::Options(
        std::vector<config::Block>{config::Block(SharedSettings{}, shared_options())});
  }

  config::Options options_ = shared();
};

constexpr const char* kTwoMetrics =
    R"({"name": "mine", "metric": "pairwise"}
{"id": "a", "part": "p", "group": "g", "visuals": ["1.jpg"], "texts": ["x", "y"], "right": 1, "tags": ["t"]}
{"id": "b", "part": "p", "visuals": ["1.jpg"], "texts": ["x", "y", "z"], "right": 0, "metric": "choice"}
{"id": "c", "part": "q", "visuals": ["1.jpg"], "texts": ["x", "y"], "right": 0, "metric": "average_precision"}
)";

TEST_F(FileTaskTest, TurnsLinesIntoItemsAndScoresIntoValues) {
  std::unique_ptr<Task> task = open(kTwoMetrics);
  EXPECT_EQ(task->name(), "mine");
  ASSERT_EQ(task->parts().size(), 2U);
  EXPECT_EQ(task->parts()[0].num_items, 2U);
  // acc and conf are shared by pairwise and choice, so their chance is not one number.
  ASSERT_EQ(task->columns().size(), 3U);
  EXPECT_EQ(task->columns()[2].name, "map");
  EXPECT_FALSE(task->columns()[0].chance);
  EXPECT_TRUE(task->columns()[0].is_share);
  Item first = task->item(0).value();
  EXPECT_THAT(first.clusters, ElementsAre("g"));
  EXPECT_THAT(task->judge(first, {.values = {1, 2}})->values, ElementsAre(1, testing::_, IsNan()));
  EXPECT_EQ(task->judge(first, {.values = {1, 2}})->named.to_json(), R"({"tags":["t"]})");
  Item third = task->item(2).value();
  EXPECT_NE(third.clusters, task->item(1)->clusters);
  EXPECT_THAT(task->judge(third, {.values = {1, 2}})->values, ElementsAre(IsNan(), IsNan(), 0.5));
  EXPECT_FALSE(task->judge(third, {.values = {1}}));
}

TEST_F(FileTaskTest, NamesLineAndMetricOfAnItemThatDoesNotFit) {
  std::unique_ptr<Task> task = open(R"({"metric": "pairwise"}
{"visuals": ["1.jpg"], "texts": ["x", "y"], "right": 1}
{"visuals": ["1.jpg"], "texts": ["x", "y", "z"], "right": 1}
{"visuals": ["1.jpg"], "texts": ["x", "y"], "right": 1, "metric": "pairwize"}
{"visuals": [{"image": "1.jpg", "corruption": "gaus:1"}], "texts": ["x", "y"], "right": 1}
)");
  EXPECT_TRUE(task->item(0));
  EXPECT_THAT(task->item(1).error().what(), HasSubstr("items.jsonl:3: pairwise needs two scores"));
  EXPECT_THAT(task->item(2).error().what(), HasSubstr("items.jsonl:4: unknown metric 'pairwize'"));
  EXPECT_THAT(task->item(3).error().what(), HasSubstr("no corruption 'gaus'"));
  EXPECT_THROW(open(R"({"texts": ["x", "y"], "right": 1})"), Error);  // no metric at all
}

TEST_F(FileTaskTest, WantsPartsInOnePiece) {
  EXPECT_THROW(open(R"({"part": "a", "texts": ["x", "y"], "right": 0, "metric": "choice"}
{"part": "b", "texts": ["x", "y"], "right": 0, "metric": "choice"}
{"part": "a", "texts": ["x", "y"], "right": 0, "metric": "choice"}
)"),
               Error);
}

TEST_F(FileTaskTest, PlacesPicturesBesideTheFileUnlessToldWhere) {
  std::unique_ptr<Task> task = open(kTwoMetrics);
  EXPECT_EQ(picture(*task).path, path().parent_path() / "1.jpg");
  options_.set("data", "elsewhere", "test");
  task = reopen();
  EXPECT_EQ(picture(*task).path, std::filesystem::path("elsewhere/1.jpg"));
  options_.set("root-image-dir", "pictures", "test");
  task = reopen();
  EXPECT_EQ(picture(*task).path, std::filesystem::path("pictures/1.jpg"));
  task = open(R"({"texts": ["x", "y"], "right": 0, "metric": "choice"})");
  EXPECT_FALSE(task->item(0)->visuals[0].place());
}

TEST_F(FileTaskTest, PlacesClipsAndCorruptions) {
  std::unique_ptr<Task> task = open(R"({"metric": "choice"}
{"visuals": [{"clip": "v.mp4", "start": 1}, {"image": "1.jpg", "corruption": "gauss:100"}], "texts": ["x"], "right": 0})");
  Item item = task->item(0).value();
  media::VisualPlace clip = item.visuals[0].place().value();
  EXPECT_EQ(clip.clip->start, 1);
  EXPECT_FALSE(clip.corruption);
  media::VisualPlace spoilt = item.visuals[1].place().value();
  EXPECT_EQ(spoilt.corruption->name, "gauss:100");
  EXPECT_EQ(spoilt.corruption->image_id, "1.jpg");
}

TEST_F(FileTaskTest, TellsCropsOfOnePictureApartAndKeepsThemOnOneShard) {
  std::unique_ptr<Task> task = open(R"({"metric": "choice"}
{"visuals": [{"image": "1.jpg", "crop": [1, 2, 3, 4]}, "1.jpg"], "texts": ["x"], "right": 0, "cells": [[1, 0], [0, 0]]})");
  Item item = task->item(0).value();
  EXPECT_NE(item.visuals[0].name, item.visuals[1].name);
  EXPECT_EQ(item.visuals[0].shard_key(), item.visuals[1].shard_key());
  EXPECT_EQ(item.visuals[0].place()->crop->width, 3);
  EXPECT_THAT(questions::pairs_of(item.questions),
              ElementsAre(questions::Pair{1, 0}, questions::Pair{0, 0}));
}

TEST_F(FileTaskTest, ReadsTheScoreLinesItWrites) {
  std::unique_ptr<Task> task = open(kTwoMetrics);
  Item item = task->item(1).value();
  std::string line = task->score_line(item, {0.1, -2, 3}).value();
  EXPECT_EQ(line, R"({"id": "b", "scores": [0.1, -2.0, 3.0]})");
  EXPECT_THAT(*task->read_score_line(line)->scores, ElementsAre(0.1, -2, 3));
}

TEST_F(FileTaskTest, TurnsPerplexitiesAround) {
  std::unique_ptr<Task> task =
      open(R"({"id": "a", "texts": ["x", "y"], "right": 1, "metric": "perplexity_choice"})");
  ScoreLine read = task->read_score_line(R"({"id": "a", "scores": [30, 12]})").value();
  EXPECT_THAT(*read.scores, ElementsAre(-30, -12));
  Item item = task->item(0).value();
  EXPECT_EQ(task->judge(item, {.values = *read.scores})->values[0], 1);
  // What a language model says is a log likelihood already.
  std::string line = task->score_line(item, {-3.5, -2.5}).value();
  EXPECT_THAT(*task->read_score_line(line)->scores, ElementsAre(-3.5, -2.5));
  EXPECT_THROW(open(R"({"texts": ["x", "y"], "right": 1, "metric": "perplexity_choice"}
{"texts": ["x", "y"], "right": 1, "metric": "choice"}
)"),
               Error);
}

TEST_F(FileTaskTest, GoesByTheTieRule) {
  std::unique_ptr<Task> task = open(kTwoMetrics, "half");
  EXPECT_FALSE(task->columns()[0].is_share);
  EXPECT_EQ(task->judge(task->item(0).value(), {.values = {2, 2}})->values[0], 0.5);
  EXPECT_EQ(open(kTwoMetrics)->judge(task->item(0).value(), {.values = {2, 2}})->values[0], 0);
}

// The score of the first text.
class FirstScore final : public metrics::Metric {
 public:
  const metrics::MetricFacts& facts() const override { return facts_; }
  std::optional<std::string> misfit(const metrics::ItemShape&) const override { return {}; }
  metrics::Judged judge(const metrics::ScoredItem& item) const override {
    return {.values = {item.scores[0]}};
  }

 private:
  metrics::MetricFacts facts_{.name = "first_score",
                              .summary = "",
                              .range = "",
                              .ties = "",
                              .paper = "",
                              .columns = {{.name = "first"}}};
};

TEST_F(FileTaskTest, KnowsMetricsOfTheProgram) {
  constexpr const char* kItems =
      R"({"visuals": ["1.jpg"], "texts": ["x", "y"], "right": 1, "metric": "first_score"}
)";
  EXPECT_THROW(open(kItems), Error);
  const std::vector<std::shared_ptr<const metrics::Metric>> own = {
      std::make_shared<const FirstScore>()};
  std::unique_ptr<Task> task = make_file()->open({.options = options_,
                                                  .model = "m",
                                                  .is_compat = false,
                                                  .argument = path().string(),
                                                  .metrics = own});
  EXPECT_THAT(task->judge(task->item(0).value(), {.values = {0.75, 0.5}})->values,
              ElementsAre(0.75));
}

}  // namespace
}  // namespace snellen::tasks
