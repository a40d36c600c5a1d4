// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/data/world_prompts.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/eyechart/world/captions.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/phrases.h"
#include "snellen/eyechart/world/prompts.h"

namespace snellen::training {
namespace {

using eyechart::Predicate;
using eyechart::Relation;
using eyechart::Scene;

constexpr uint64_t kPromptPercent = 25;

std::string_view noun_of(const Scene& scene, size_t thing) {
  return eyechart::nouns()[scene.things[thing].noun].name;
}

std::string drawn_relation_prompt(Rng& rng, const Scene& scene) {
  return eyechart::relation_prompt(scene, scene.relations[rng.below(scene.relations.size())]);
}

// An attribute or a thing alone.
std::string drawn_thing_prompt(Rng& rng, const Scene& scene) {
  bool tells_attribute = rng.below(2) == 0;
  size_t thing = rng.below(scene.things.size());
  std::vector<eyechart::NamedAttribute> said = eyechart::attributes_of(scene.things[thing]);
  if (tells_attribute && !said.empty())
    return attribute_prompt(said[rng.below(said.size())].name, noun_of(scene, thing));
  return fmt::format("A photo of a {}.", noun_of(scene, thing));
}

}  // namespace

Scene training_scene(uint64_t seed, uint64_t index) {
  eyechart::SceneRules rules;
  rules.seed = seed;
  rules.has_crowds = index % 2 == 1;
  return eyechart::draw_scene(rules, index + 1);
}

std::string attribute_prompt(std::string_view attribute, std::string_view noun) {
  return fmt::format("A photo of a {} {}.", attribute, noun);
}

std::string drawn_text(Rng& rng, const Scene& scene, uint64_t relation_percent) {
  bool tells_relation = rng.below(100) < relation_percent && !scene.relations.empty();
  bool is_prompt = rng.below(100) < kPromptPercent;
  if (tells_relation) {
    return is_prompt ? drawn_relation_prompt(rng, scene)
                     : eyechart::draw_relation_caption(rng, scene);
  }
  return is_prompt ? drawn_thing_prompt(rng, scene) : eyechart::draw_plain_caption(rng, scene);
}

size_t absent_noun(Rng& rng, const Scene& scene) {
  while (true) {
    size_t noun = rng.below(eyechart::nouns().size());
    bool is_there = std::any_of(scene.things.begin(),
                                scene.things.end(),
                                [&](const eyechart::Thing& thing) { return thing.noun == noun; });
    if (!is_there) return noun;
  }
}

}  // namespace snellen::training
