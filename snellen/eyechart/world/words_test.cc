// SPDX-License-Identifier: Apache-2.0
// Phrases, captions, dialogs and predicates: what is said must be well formed and true.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "snellen/annotations/probe/attribute_table.h"
#include "snellen/eyechart/world/captions.h"
#include "snellen/eyechart/world/contrast_items.h"
#include "snellen/eyechart/world/dialog.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"
#include "snellen/eyechart/world/prompts.h"

namespace snellen::eyechart {
namespace {

Thing thing_of(std::string_view noun) {
  Thing thing;
  thing.noun = *noun_index(noun);
  return thing;
}

// Whoever reads the words alone finds each pair of texts twice, with either of them right.
TEST(ContrastItems, AskTheSameWordsOfBothPicturesWithTheOtherAnswer) {
  for (const ContrastTask& task : {direction_task(), binding_task()}) {
    for (uint64_t index = 0; index < 48; ++index) {
      std::map<std::vector<std::string>, int> answers;
      std::istringstream lines(task.draw(0, index).lines);
      int num_items = 0;
      for (std::string line; std::getline(lines, line); ++num_items) {
        const auto item = nlohmann::json::parse(line);
        auto texts = item.at("texts").get<std::vector<std::string>>();
        ASSERT_EQ(texts.size(), 2U);
        EXPECT_NE(texts[0], texts[1]);
        const bool is_first = texts[0] < texts[1];
        std::sort(texts.begin(), texts.end());
        answers[texts] += is_first ? 1 : -1;
      }
      EXPECT_GE(num_items, 2);
      for (const auto& [texts, difference] : answers) EXPECT_EQ(difference, 0) << texts[0];
    }
  }
}

TEST(ContrastItems, ExchangeTheColoursOfTwoThings) {
  Scene scene;
  scene.things = {thing_of("cup"), thing_of("car")};
  scene.things[0].look.colour = 0;
  EXPECT_FALSE(exchanged_colours(scene)) << "both are red";
  scene.things[1].look.colour = 1;
  const auto exchanged = exchanged_colours(scene);
  ASSERT_TRUE(exchanged);
  EXPECT_EQ(exchanged->scene.things[0].look.colour, 1U);
  EXPECT_EQ(exchanged->scene.things[1].look.colour, 0U);
  EXPECT_EQ(two_colours_prompt(scene.things[0], scene.things[1]),
            "A photo of a red cup and a orange car.");
  scene.things[1].look.material = Material::kWooden;
  EXPECT_FALSE(exchanged_colours(scene)) << "wood has a colour of its own";
}

TEST(Phrases, PutAttributesBeforeTheNoun) {
  Thing cup = thing_of("cup");
  cup.look.size = Size::kSmall;
  cup.look.colour = 1;
  EXPECT_EQ(phrase_of(cup, {{AttributeKind::kColour, "orange"}}), "an orange cup");
  EXPECT_EQ(phrase_of(cup, attributes_of(cup)), "a small full orange cup");
  EXPECT_EQ(phrase_of(thing_of("apple"), {}), "an apple");
  EXPECT_EQ(phrase_of(thing_of("umbrella"), {}), "an umbrella");
}

TEST(Phrases, KnowPairsPeopleAndGroups) {
  EXPECT_EQ(phrase_of(thing_of("scissors"), {{AttributeKind::kColour, "red"}}),
            "a pair of red scissors");
  EXPECT_EQ(phrase_of(thing_of("person"),
                      {{AttributeKind::kSize, "large"}, {AttributeKind::kColour, "red"}}),
            "a large person in a red shirt");
  Thing sheep = thing_of("sheep");
  sheep.copies = 5;
  EXPECT_EQ(phrase_of(sheep, {}), "a group of sheep");
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
