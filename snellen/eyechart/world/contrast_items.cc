// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/contrast_items.h"

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/json_object.h"
#include "snellen/eyechart/world/direction_pair.h"
#include "snellen/eyechart/world/prompts.h"

namespace snellen::eyechart {
namespace {

constexpr std::string_view kDirection = "direction";
constexpr std::string_view kBinding = "binding";
constexpr uint64_t kFirstBindingScene = uint64_t{1} << 33;
constexpr uint64_t kBindingDraws = 64;  // scenes tried for one with two colours

// Which pair of which task, and what is asked about it.
struct Question {
  std::string_view task;
  uint64_t index;
  std::string_view category;
  std::string_view tag;
};

// One question of each picture: its own text is right, the other's is wrong.
std::string lines_of(const Question& question, const std::array<std::string, 2>& texts) {
  std::string lines;
  for (const size_t i : {size_t{0}, size_t{1}}) {
    lines +=
        json_object({{"id", fmt::format("{}-{}-{}", question.index, i, question.category)},
                     {"group", fmt::to_string(question.index)},
                     {"category", question.category},
                     {"tags", std::vector<std::string>{std::string(question.tag)}},
                     {"visuals",
                      std::vector<std::string>{contrast_picture(question.task, question.index, i)}},
                     {"texts", std::vector<std::string>{texts.at(i), texts.at(1 - i)}},
                     {"right", 0}})
            .text +
        "\n";
  }
  return lines;
}

ContrastPair direction_pair(uint64_t seed, uint64_t index) {
  DirectionPair drawn = draw_direction_pair(seed, index);
  ContrastPair pair;
  for (const OppositeStatements& each : drawn.opposites)
    pair.lines +=
        lines_of({kDirection, index, each.category, drawn.kind},
                 {relation_prompt(each.statements[0]), relation_prompt(each.statements[1])});
  pair.scenes = std::move(drawn.scenes);
  return pair;
}

ContrastPair binding_pair(uint64_t seed, uint64_t index) {
  SceneRules rules;
  rules.seed = seed;
  for (uint64_t draw = 0; draw < kBindingDraws; ++draw) {
    Scene scene = draw_scene(rules, kFirstBindingScene + index * kBindingDraws + draw);
    if (const auto exchanged = exchanged_colours(scene)) {
      const Thing& a = scene.things[exchanged->first];
      const Thing& b = scene.things[exchanged->second];
      return {.scenes = {scene, exchanged->scene},
              .lines = lines_of({kBinding, index, "colour", kColours.at(a.look.colour).name},
                                {two_colours_prompt(a, b), exchanged_colours_prompt(a, b)})};
    }
  }
  throw Error{ErrorCode::kInternal, "no scene has two colours"};
}

}  // namespace

ContrastTask direction_task() {
  return {kDirection, direction_pair};
}

ContrastTask binding_task() {
  return {kBinding, binding_pair};
}

std::string contrast_picture(std::string_view task, uint64_t index, size_t which) {
  return fmt::format("contrasts/{}/{:06d}-{}.jpg", task, index, which);
}

}  // namespace snellen::eyechart
