// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/recall_at_k.h"

#include <cmath>

#include <gmock/gmock.h>

namespace snellen::metrics {
namespace {

using testing::ElementsAre;
using testing::IsNan;

TEST(RecallAtK, CountsATieAtTheCutoffAsAMissUnlessTiesAreWon) {
  const std::vector<double> scores = {3, 5, 5, 1};
  const std::vector<uint8_t> is_right = {0, 1, 0, 0};
  EXPECT_FALSE(retrieve(scores, is_right, 1).is_found);
  EXPECT_TRUE(retrieve(scores, is_right, 1).is_found_with_ties);
  EXPECT_TRUE(retrieve(scores, is_right, 2).is_found);
}

TEST(RecallAtK, TheBestRightCandidateCounts) {
  const std::vector<double> scores = {9, 1, 8};
  const std::vector<uint8_t> is_right = {0, 1, 1};
  EXPECT_FALSE(retrieve(scores, is_right, 1).is_found);
  EXPECT_TRUE(retrieve(scores, is_right, 2).is_found);
}

TEST(RecallAtK, GuessingFindsWhatDrawingWithoutPuttingBackFinds) {
  EXPECT_DOUBLE_EQ(retrieval_chance(4, 1, 1), 0.25);
  EXPECT_DOUBLE_EQ(retrieval_chance(4, 2, 2), 1 - 1.0 / 6);
  EXPECT_DOUBLE_EQ(retrieval_chance(3, 1, 5), 1);
}

TEST(RecallAtK, GoesBothWaysOverABlock) {
  // Two pictures, two texts, matching in order; picture 1 prefers text 0.
  const std::vector<uint8_t> is_right = {1, 0, 0, 1};
  const std::vector<uint8_t> is_asked = {1, 1, 1, 1};
  const std::vector<double> scores = {4, 1, 3, 2};
  auto metric = make_recall_at({1});
  ItemShape shape{2, 2, is_right, is_asked};
  EXPECT_FALSE(metric->misfit(shape));
  EXPECT_THAT(metric->judge({shape, scores}).values, ElementsAre(0.5, 1));
  EXPECT_FALSE(metric->is_share(0, shape));
  EXPECT_DOUBLE_EQ(*metric->chance(0, shape), 0.5);
}

TEST(RecallAtK, IsUndefinedInTheDirectionThatHasNoChoice) {
  const std::vector<uint8_t> is_right = {0, 1, 0};
  const std::vector<uint8_t> is_asked = {1, 1, 1};
  const std::vector<double> scores = {1, 3, 3};
  auto metric = make_recall_at({1, 2});
  ItemShape shape{1, 3, is_right, is_asked};
  Judged judged = metric->judge({shape, scores, Ties::kHalf});
  EXPECT_THAT(judged.values, ElementsAre(0.5, 1, IsNan(), IsNan()));
  EXPECT_EQ(judged.tied_columns, 1U);
  EXPECT_FALSE(judged.is_correct);
  EXPECT_TRUE(metric->is_share(0, shape));
}

TEST(RecallAtK, WantsAQuery) {
  const std::vector<uint8_t> one = {1};
  EXPECT_TRUE(make_recall_at({1})->misfit({1, 1, one, one}));
}

TEST(MetricNamed, KnowsTheNamesOfTaskFiles) {
  EXPECT_EQ(metric_named("pairwise")->facts().name, "pair_choice");
  EXPECT_EQ(metric_named("average-precision")->facts().name, "average_precision");
  EXPECT_EQ(metric_named("recall@10,1,1")->facts().columns.size(), 4U);
  for (const char* name : {"", "recall@", "recall@0", "recall@1,", "recall@x", "acc"})
    EXPECT_FALSE(metric_named(name)) << name;
  for (const std::string& name : metric_names()) EXPECT_TRUE(metric_named(name)) << name;
}

}  // namespace
}  // namespace snellen::metrics
