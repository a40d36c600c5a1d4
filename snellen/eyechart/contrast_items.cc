// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/contrast_items.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
#include "snellen/eyechart/nouns.h"

namespace snellen::eyechart {
namespace {

const Noun& noun_of(const Thing& thing) {
  return nouns()[thing.noun];
}

// Of two of a kind nobody knows which is meant.
bool is_only_one(const Scene& scene, size_t place) {
  return std::all_of(scene.things.begin(), scene.things.end(), [&](const Thing& thing) {
    return &thing == &scene.things[place] || thing.noun != scene.things[place].noun;
  });
}

struct Contrast {
  std::string name;  // within the scene
  std::string_view category;
  std::string_view tag;
  std::string right;
  std::string wrong;
};

std::string line_of(const Scene& scene, const std::string& picture, const Contrast& contrast) {
  return fmt::format(
      "{{\"id\": \"{}-{}\", \"group\": {}, \"category\": \"{}\", \"tags\": [{}], \"visuals\": "
      "[{}], "
      "\"texts\": [{}, {}], \"right\": 0}}\n",
      scene.id,
      contrast.name,
      json_string(picture),
      contrast.category,
      json_string(contrast.tag),
      json_string(picture),
      json_string(contrast.right),
      json_string(contrast.wrong));
}

std::string prompt_of(const Scene& scene, const Relation& relation) {
  return fmt::format("A photo of a {} {} {}.",
                     noun_of(scene.things[relation.subject]).name,
                     words_of(relation.predicate).name,
                     noun_of(scene.things[relation.object]).name);
}

std::string direction_items(const Scene& scene, const std::string& picture) {
  if (scene.relations.empty()) return "";
  const Relation& right = scene.relations.front();
  if (!is_only_one(scene, right.subject) || !is_only_one(scene, right.object)) return "";
  std::string lines;
  auto add = [&](std::string_view category, const Relation& wrong) {
    const bool holds =
        std::find(scene.relations.begin(), scene.relations.end(), wrong) != scene.relations.end();
    if (holds) return;
    lines += line_of(scene,
                     picture,
                     {.name = std::string(category),
                      .category = category,
                      .tag = words_of(right.predicate).name,
                      .right = prompt_of(scene, right),
                      .wrong = prompt_of(scene, wrong)});
  };
  if (const std::optional<Predicate> inverse = inverse_of(right.predicate))
    add("opposite", {right.subject, right.object, *inverse});
  add("exchanged", {right.object, right.subject, right.predicate});
  return lines;
}

// Its colour can be seen and said: not a person's shirt, not a crowd.
bool is_coloured(const Thing& thing) {
  return !noun_of(thing).can(kFixedColour) && noun_of(thing).name != "person" && thing.copies == 1;
}

std::string binding_items(const Scene& scene, const std::string& picture) {
  std::string lines;
  for (size_t i = 0; i < scene.things.size(); ++i) {
    for (size_t j = i + 1; j < scene.things.size(); ++j) {
      const Thing &a = scene.things[i], &b = scene.things[j];
      const bool is_fit = is_coloured(a) && is_coloured(b) && a.look.colour != b.look.colour &&
                          is_only_one(scene, i) && is_only_one(scene, j);
      if (!is_fit) continue;
      auto told = [&](const Thing& first, const Thing& second) {
        return fmt::format("A photo of a {} {} and a {} {}.",
                           kColours.at(first.look.colour).name,
                           noun_of(a).name,
                           kColours.at(second.look.colour).name,
                           noun_of(b).name);
      };
      lines += line_of(scene,
                       picture,
                       {.name = fmt::format("{}-{}", i, j),
                        .category = "colour",
                        .tag = kColours.at(a.look.colour).name,
                        .right = told(a, b),
                        .wrong = told(b, a)});
    }
  }
  return lines;
}

}  // namespace

ContrastTask direction_task() {
  return {"direction", direction_items};
}

ContrastTask binding_task() {
  return {"binding", binding_items};
}

}  // namespace snellen::eyechart
