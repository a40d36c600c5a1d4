// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/ladder_items.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

LevelAnswer at(
    std::string id, size_t level, AnswerClass answer, int64_t replicate = 0, int64_t order = 0) {
  LevelAnswer made;
  made.id = std::move(id);
  made.level = level;
  made.replicate = replicate;
  made.order = order;
  made.answer.answer = answer;
  return made;
}

using enum AnswerClass;

TEST(LadderItems, PutsAnswersInOrderOfLevel) {
  LadderSet set =
      build_ladders(std::vector{at("b", 1, kC), at("a", 0, kB), at("b", 0, kA), at("a", 1, kR)}, 2);
  ASSERT_EQ(set.items.size(), 2u);
  EXPECT_EQ(set.items[0].id, "b");
  EXPECT_EQ(set.items[0].answers[1].answer, kC);
  EXPECT_TRUE(set.incomplete.empty());
}

TEST(LadderItems, AReplicateTakesTheCleanAnswerOfReplicateZero) {
  LadderSet set = build_ladders(std::vector{at("a", 0, kA), at("a", 1, kC), at("a", 1, kB, 1)}, 2);
  ASSERT_EQ(set.items.size(), 2u);
  EXPECT_EQ(set.items[1].answers[0].answer, kA);
  EXPECT_EQ(set.items[1].answers[1].answer, kB);
}

TEST(LadderItems, ALadderThatLacksALevelIsNamed) {
  std::vector<LevelAnswer> answers = {at("a", 0, kA), at("a", 1, kC), at("b", 0, kA, 0, 1)};
  LadderSet set = build_ladders(answers, 3);
  EXPECT_TRUE(set.items.empty());
  EXPECT_EQ(set.incomplete, (std::vector<std::string>{"a", "b (replicate 0, order 1)"}));
  EXPECT_EQ(build_ladders(answers, 3, /*pads_early_stop=*/true).items.size(), 1u);
}

TEST(LadderItems, RefusesTwoAnswersForOneRung) {
  EXPECT_THROW(build_ladders(std::vector{at("a", 0, kA), at("a", 0, kB)}, 1), Error);
  EXPECT_THROW(build_ladders(std::vector{at("a", 2, kA)}, 2), Error);
}

TEST(LadderItems, GroupsOverReplicatesOrOrders) {
  std::vector<LevelAnswer> answers = {at("a", 1, kA), at("a", 1, kB, 1), at("a", 1, kC, 0, 1)};
  auto by_replicate = consistency_groups(answers, ConsistencyOver::kReplicates);
  ASSERT_EQ(by_replicate.size(), 2u);
  EXPECT_EQ(by_replicate[0], (std::vector{kA, kB}));
  auto by_order = consistency_groups(answers, ConsistencyOver::kOrders);
  EXPECT_EQ(by_order[0], (std::vector{kA, kC}));
}

}  // namespace
}  // namespace snellen::metrics
