// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/relation_items.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/python_json.h"
#include "snellen/eyechart/nouns.h"

namespace snellen::eyechart {
namespace {

bool holds(const Scene& scene, const Relation& relation) {
  return std::find(scene.relations.begin(), scene.relations.end(), relation) !=
         scene.relations.end();
}

std::string prompt_of(const Scene& scene, const Relation& relation) {
  return fmt::format("A photo of a {} {} {}.",
                     nouns()[scene.things[relation.subject].noun].name,
                     words_of(relation.predicate).name,
                     nouns()[scene.things[relation.object].noun].name);
}

// Two of a kind have no direction that could be told.
bool is_told_apart(const Scene& scene, const Relation& relation) {
  return std::all_of(scene.things.begin(), scene.things.end(), [&](const Thing& thing) {
    auto is_other = [&](size_t one) {
      return &thing == &scene.things[one] || thing.noun != scene.things[one].noun;
    };
    return is_other(relation.subject) && is_other(relation.object);
  });
}

}  // namespace

std::string relation_items_head() {
  return "{\"name\": \"direction\", \"metric\": \"pairwise\"}\n";
}

std::string relation_items(const Scene& scene, const std::string& picture) {
  std::string lines;
  if (scene.relations.empty()) return lines;
  const Relation& right = scene.relations.front();
  if (!is_told_apart(scene, right)) return lines;
  auto add = [&](std::string_view category, const Relation& wrong) {
    if (holds(scene, wrong)) return;
    lines += fmt::format(
        "{{\"id\": \"{}-{}\", \"group\": {}, \"category\": \"{}\", \"tags\": [{}], "
        "\"visuals\": [{}], \"texts\": [{}, {}], \"right\": 0}}\n",
        scene.id,
        category,
        json_string(picture),
        category,
        json_string(words_of(right.predicate).name),
        json_string(picture),
        json_string(prompt_of(scene, right)),
        json_string(prompt_of(scene, wrong)));
  };
  if (std::optional<Predicate> inverse = inverse_of(right.predicate))
    add("opposite", {right.subject, right.object, *inverse});
  add("exchanged", {right.object, right.subject, right.predicate});
  return lines;
}

}  // namespace snellen::eyechart
