// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/prompts.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/eyechart/world/nouns.h"

namespace snellen::eyechart {
namespace {

const Noun& noun_of(const Thing& thing) {
  return nouns()[thing.noun];
}

std::string sentence_of(const Thing& a, size_t colour_of_a, const Thing& b, size_t colour_of_b) {
  return fmt::format("A photo of a {} {} and a {} {}.",
                     kColours.at(colour_of_a).name,
                     noun_of(a).name,
                     kColours.at(colour_of_b).name,
                     noun_of(b).name);
}

}  // namespace

std::string relation_prompt(std::string_view subject,
                            std::string_view predicate,
                            std::string_view object) {
  return fmt::format("A photo of a {} {} {}.", subject, predicate, object);
}

std::string relation_prompt(const Scene& scene, const Relation& relation) {
  return relation_prompt(noun_of(scene.things[relation.subject]).name,
                         words_of(relation.predicate).name,
                         noun_of(scene.things[relation.object]).name);
}

bool is_true(const Scene& scene, const Relation& relation) {
  return std::find(scene.relations.begin(), scene.relations.end(), relation) !=
         scene.relations.end();
}

bool is_coloured(const Thing& thing) {
  return !noun_of(thing).can(kFixedColour) && takes_colour(thing.look.material) &&
         noun_of(thing).name != "person" && thing.copies == 1;
}

bool have_two_colours(const Thing& a, const Thing& b) {
  return is_coloured(a) && is_coloured(b) && a.look.colour != b.look.colour;
}

std::optional<ExchangedColours> exchanged_colours(const Scene& scene) {
  for (size_t i = 0; i < scene.things.size(); ++i) {
    for (size_t j = i + 1; j < scene.things.size(); ++j) {
      if (!have_two_colours(scene.things[i], scene.things[j])) continue;
      ExchangedColours made = {.scene = scene, .first = i, .second = j};
      std::swap(made.scene.things[i].look.colour, made.scene.things[j].look.colour);
      return made;
    }
  }
  return std::nullopt;
}

std::string two_colours_prompt(const Thing& a, const Thing& b) {
  return sentence_of(a, a.look.colour, b, b.look.colour);
}

std::string exchanged_colours_prompt(const Thing& a, const Thing& b) {
  return sentence_of(a, b.look.colour, b, a.look.colour);
}

}  // namespace snellen::eyechart
