// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/direction_pair.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "snellen/eyechart/world/nouns.h"

namespace snellen::eyechart {
namespace {

std::string told(const Statement& statement) {
  return std::string(nouns()[statement.subject].name) + " " +
         std::string(words_of(statement.predicate).name) + " " +
         std::string(nouns()[statement.object].name);
}

TEST(DirectionPair, HasStatementsThatAreTrueOfOneSceneAndFalseOfTheOther) {
  for (uint64_t index = 0; index < 60 * kNumDirectionKinds; ++index) {
    const DirectionPair pair = draw_direction_pair(0, index);
    ASSERT_FALSE(pair.opposites.empty());
    for (const OppositeStatements& each : pair.opposites) {
      for (const size_t i : {0U, 1U}) {
        EXPECT_TRUE(is_true(pair.scenes.at(i), each.statements.at(i)))
            << pair.kind << " " << index << ": " << told(each.statements.at(i));
        EXPECT_FALSE(is_true(pair.scenes.at(i), each.statements.at(1 - i)))
            << pair.kind << " " << index << ": " << told(each.statements.at(1 - i));
      }
    }
  }
}

// Whoever reads the words alone has a text that is right as often as it is wrong, in every kind.
TEST(DirectionPair, AsksEveryTextAsOftenRightAsWrong) {
  std::map<std::string, int> balance;
  for (uint64_t index = 0; index < 20 * kNumDirectionKinds; ++index) {
    for (const OppositeStatements& each : draw_direction_pair(0, index).opposites) {
      for (const size_t i : {0U, 1U}) {
        ++balance[told(each.statements.at(i))];
        --balance[told(each.statements.at(1 - i))];
      }
    }
  }
  for (const auto& [text, difference] : balance) EXPECT_EQ(difference, 0) << text;
}

TEST(DirectionPair, ShowsTheSameThingsInBothScenes) {
  for (uint64_t index = 0; index < kNumDirectionKinds; ++index) {
    const DirectionPair pair = draw_direction_pair(0, index);
    EXPECT_EQ(pair.scenes[0].things[0].noun, pair.scenes[1].things[1].noun) << pair.kind;
    EXPECT_EQ(pair.scenes[0].things[1].noun, pair.scenes[1].things[0].noun) << pair.kind;
    EXPECT_EQ(pair.scenes[0].backdrop, pair.scenes[1].backdrop) << pair.kind;
  }
}

// Left and right are read off the boxes, without what the scene says of itself.
TEST(DirectionPair, SaysLeftAndRightAsTheBoxesHaveIt) {
  int num_checked = 0;
  for (uint64_t index = 0; index < 200 * kNumDirectionKinds; index += kNumDirectionKinds) {
    const DirectionPair pair = draw_direction_pair(0, index);
    ASSERT_EQ(pair.kind, "left or right");
    for (const OppositeStatements& each : pair.opposites) {
      for (const size_t i : {0U, 1U}) {
        const Statement& said = each.statements.at(i);
        std::map<size_t, double> middle;
        for (const Thing& thing : pair.scenes.at(i).things)
          middle[thing.noun] = thing.box.center_x();
        const bool is_left = middle.at(said.subject) < middle.at(said.object);
        EXPECT_EQ(is_left, said.predicate == Predicate::kLeftOf) << index << ": " << told(said);
        ++num_checked;
      }
    }
  }
  EXPECT_EQ(num_checked, 800);
}

TEST(DirectionPair, AsksBothWordsOfAKind) {
  std::set<Predicate> asked;
  for (const uint64_t index : {uint64_t{0}, uint64_t{kNumDirectionKinds}})
    asked.insert(draw_direction_pair(0, index).opposites.back().statements[0].predicate);
  EXPECT_EQ(asked, (std::set<Predicate>{Predicate::kLeftOf, Predicate::kRightOf}));
}

}  // namespace
}  // namespace snellen::eyechart
