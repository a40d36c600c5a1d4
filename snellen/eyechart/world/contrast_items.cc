// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/contrast_items.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
#include "snellen/eyechart/world/prompts.h"

namespace snellen::eyechart {
namespace {

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

std::string direction_items(const Scene& scene, const std::string& picture) {
  if (scene.relations.empty()) return "";
  const Relation& right = scene.relations.front();
  if (!is_only_one(scene, right.subject) || !is_only_one(scene, right.object)) return "";
  std::string lines;
  auto add = [&](std::string_view category, const Relation& wrong) {
    if (is_true(scene, wrong)) return;
    lines += line_of(scene,
                     picture,
                     {.name = std::string(category),
                      .category = category,
                      .tag = words_of(right.predicate).name,
                      .right = relation_prompt(scene, right),
                      .wrong = relation_prompt(scene, wrong)});
  };
  if (const std::optional<Predicate> inverse = inverse_of(right.predicate))
    add("opposite", {right.subject, right.object, *inverse});
  add("exchanged", {right.object, right.subject, right.predicate});
  return lines;
}

std::string binding_items(const Scene& scene, const std::string& picture) {
  std::string lines;
  for (size_t i = 0; i < scene.things.size(); ++i) {
    for (size_t j = i + 1; j < scene.things.size(); ++j) {
      const Thing &a = scene.things[i], &b = scene.things[j];
      if (!have_two_colours(a, b) || !is_only_one(scene, i) || !is_only_one(scene, j)) continue;
      lines += line_of(scene,
                       picture,
                       {.name = fmt::format("{}-{}", i, j),
                        .category = "colour",
                        .tag = kColours.at(a.look.colour).name,
                        .right = two_colours_prompt(a, b),
                        .wrong = exchanged_colours_prompt(a, b)});
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
