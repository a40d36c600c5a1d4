// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/direction_pair.h"

#include <algorithm>

#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/prompts.h"

namespace snellen::eyechart {
namespace {

struct DirectionKind {
  std::string_view name;
  Predicate predicate;  // of the first thing to the second in the first scene
};

constexpr std::array<DirectionKind, kNumDirectionKinds> kKinds = {
    DirectionKind{"left or right", Predicate::kLeftOf},
    DirectionKind{"above or below", Predicate::kAbove},
    DirectionKind{"on or under", Predicate::kOn},
    DirectionKind{"inside or containing", Predicate::kInside},
    DirectionKind{"behind or in front of", Predicate::kBehind},
    DirectionKind{"chasing", Predicate::kChasing},
    DirectionKind{"following", Predicate::kFollowing},
    DirectionKind{"pushing", Predicate::kPushing},
    DirectionKind{"pulling", Predicate::kPulling},
    DirectionKind{"looking at", Predicate::kLookingAt},
    DirectionKind{"jumping over", Predicate::kJumpingOver},
    DirectionKind{"kicking", Predicate::kKicking},
};

constexpr uint64_t kFirstPairScene = uint64_t{1} << 32;

Statement exchanged(const Statement& statement) {
  return {statement.object, statement.predicate, statement.subject};
}

}  // namespace

DirectionPair draw_direction_pair(uint64_t seed, uint64_t index) {
  const DirectionKind& kind = kKinds.at(index % kKinds.size());
  SceneRules rules;
  rules.seed = seed;
  rules.predicate = kind.predicate;
  rules.is_reversible = true;
  DirectionPair pair;
  pair.kind = kind.name;
  for (const bool is_second : {false, true}) {
    rules.is_reversed = is_second;
    pair.scenes[is_second ? 1 : 0] = draw_scene(rules, kFirstPairScene + index);
  }
  const std::vector<Thing>& things = pair.scenes[0].things;
  Statement said = {things[0].noun, kind.predicate, things[1].noun};
  if (const auto inverse = inverse_of(kind.predicate)) {
    // The first thing is left of the second, then right of it.
    const Statement turned = {said.subject, *inverse, said.object};
    pair.opposites.push_back({"opposite", {said, turned}});
    // Each of the two words is asked about in half of the pairs.
    if (index / kKinds.size() % 2 == 1) said = exchanged(turned);
  }
  pair.opposites.push_back({"exchanged", {said, exchanged(said)}});
  return pair;
}

bool is_true(const Scene& scene, const Statement& statement) {
  return std::any_of(scene.relations.begin(), scene.relations.end(), [&](const Relation& holds) {
    return Statement{scene.things[holds.subject].noun,
                     holds.predicate,
                     scene.things[holds.object].noun} == statement;
  });
}

std::string relation_prompt(const Statement& statement) {
  return relation_prompt(nouns()[statement.subject].name,
                         words_of(statement.predicate).name,
                         nouns()[statement.object].name);
}

}  // namespace snellen::eyechart
