// SPDX-License-Identifier: Apache-2.0
// Phrases, captions, dialogs and predicates: what is said must be well formed and true.
#include <set>

#include <gtest/gtest.h>

#include "snellen/annotations/probe/attribute_table.h"
#include "snellen/eyechart/world/captions.h"
#include "snellen/eyechart/world/contrast_items.h"
#include "snellen/eyechart/world/dialog.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"

namespace snellen::eyechart {
namespace {

Thing thing_of(std::string_view noun) {
  Thing thing;
  thing.noun = *noun_index(noun);
  return thing;
}

TEST(ContrastItems, TurnTheDirectionAndNothingElse) {
  auto items = direction_task().items;
  Scene scene;
  scene.id = 7;
  scene.things = {thing_of("cat"), thing_of("dog")};
  scene.relations = {{0, 1, Predicate::kLeftOf}, {1, 0, Predicate::kRightOf}};
  std::string lines = items(scene, "a.jpg");
  EXPECT_NE(lines.find("\"texts\": [\"A photo of a cat left of dog.\", "
                       "\"A photo of a cat right of dog.\"]"),
            std::string::npos)
      << lines;
  EXPECT_NE(lines.find("\"A photo of a dog left of cat.\""), std::string::npos) << lines;
  // Each looks at the other: nothing is false of it.
  scene.relations = {{0, 1, Predicate::kLookingAt}, {1, 0, Predicate::kLookingAt}};
  EXPECT_EQ(items(scene, "a.jpg"), "");
  // Which dog?
  scene.things.push_back(thing_of("dog"));
  scene.relations = {{0, 1, Predicate::kLeftOf}};
  EXPECT_EQ(items(scene, "a.jpg"), "");
}

TEST(ContrastItems, ExchangeTheColoursOfTwoThings) {
  auto items = binding_task().items;
  Scene scene;
  scene.things = {thing_of("cup"), thing_of("car")};
  scene.things[0].look.colour = 0;
  EXPECT_EQ(items(scene, "a.jpg"), "") << "both are red";
  scene.things[1].look.colour = 1;
  std::string line = items(scene, "a.jpg");
  EXPECT_NE(line.find("\"texts\": [\"A photo of a red cup and a orange car.\", "
                      "\"A photo of a orange cup and a red car.\"]"),
            std::string::npos)
      << line;
}

TEST(Phrases, PutAttributesBeforeTheNoun) {
  Thing cup = thing_of("cup");
  cup.look.size = Size::kSmall;
  cup.look.colour = 1;
  EXPECT_EQ(phrase_of(cup, {{AttributeKind::kColour, "orange"}}), "an orange cup");
  EXPECT_EQ(phrase_of(cup, attributes_of(cup)), "a small full orange cup");
  EXPECT_EQ(plain_phrase(thing_of("apple")), "an apple");
  EXPECT_EQ(plain_phrase(thing_of("umbrella")), "an umbrella");
}

TEST(Phrases, KnowPairsPeopleAndGroups) {
  EXPECT_EQ(phrase_of(thing_of("scissors"), {{AttributeKind::kColour, "red"}}),
            "a pair of red scissors");
  EXPECT_EQ(phrase_of(thing_of("person"),
                      {{AttributeKind::kSize, "large"}, {AttributeKind::kColour, "red"}}),
            "a large person in a red shirt");
  Thing sheep = thing_of("sheep");
  sheep.copies = 5;
  EXPECT_EQ(plain_phrase(sheep), "a group of sheep");
}

TEST(Phrases, UseAttributesOfProbeC) {
  const annotations::AttributeTable table;
  for (uint64_t id = 0; id < 200; ++id) {
    for (const Thing& thing : draw_scene({}, id).things) {
      for (const NamedAttribute& one : attributes_of(thing))
        EXPECT_NE(table.find(one.name), nullptr) << one.name;
    }
  }
}

TEST(Captions, AreSentencesAndVary) {
  std::set<std::string> seen;
  for (uint64_t id = 0; id < 50; ++id) {
    for (const std::string& caption : captions_of(draw_scene({}, id), 0)) {
      EXPECT_TRUE(caption.front() >= 'A' && caption.front() <= 'Z') << caption;
      EXPECT_EQ(caption.back(), '.') << caption;
      EXPECT_EQ(caption.find("  "), std::string::npos) << caption;
      seen.insert(caption);
    }
  }
  EXPECT_GT(seen.size(), 200U);
}

TEST(Predicates, TurnRound) {
  EXPECT_EQ(inverse_of(Predicate::kLeftOf), Predicate::kRightOf);
  EXPECT_EQ(inverse_of(Predicate::kContaining), Predicate::kInside);
  EXPECT_EQ(inverse_of(Predicate::kUnder), Predicate::kAbove);
  EXPECT_EQ(inverse_of(Predicate::kChasing), std::nullopt);
  EXPECT_EQ(predicate_of("in front of"), Predicate::kInFrontOf);
  EXPECT_EQ(predicate_of("near"), std::nullopt);
}

TEST(Dialogs, HaveTenRoundsOfAHundredDifferentOptions) {
  for (uint64_t id = 0; id < 100; ++id) {
    SceneRules rules;
    rules.has_crowds = true;
    const Dialog dialog = draw_dialog(draw_scene(rules, id), 0);
    ASSERT_EQ(dialog.rounds.size(), kRounds);
    for (const Round& round : dialog.rounds) {
      EXPECT_EQ(std::set<std::string>(round.options.begin(), round.options.end()).size(), kOptions);
      EXPECT_EQ(round.options[round.answer_index], round.answer);
      EXPECT_EQ(round.relevance[round.answer_index], 1.0);
    }
  }
}

}  // namespace
}  // namespace snellen::eyechart
