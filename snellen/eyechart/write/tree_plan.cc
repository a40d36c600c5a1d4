// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/write/tree_plan.h"

namespace snellen::eyechart {

std::optional<TreeSize> tree_size(std::string_view name) {
  if (name == "tiny") return TreeSize{40, 6, 4, 3, 2, 6, 4, 2, 6, 4, 6, 12, 4};
  if (name == "small") return TreeSize{1000, 40, 60, 60, 60, 60, 60, 60, 200, 60, 40, 720, 250};
  if (name == "full")
    return TreeSize{20000, 290, 150, 150, 150, 150, 152, 150, 4000, 1000, 400, 2400, 1000};
  return std::nullopt;
}

Source source_of(uint64_t scene_id) {
  const uint64_t place = scene_id % 10;
  return place < 3 ? Source::kCocoTrain : place < 6 ? Source::kCocoVal : Source::kGenome;
}

std::string coco_split_of(Source source) {
  return source == Source::kCocoTrain ? "train2014" : "val2014";
}

bool is_in_genome(uint64_t scene_id) {
  return source_of(scene_id) == Source::kGenome || scene_id % 10 == 0;
}

SceneRules rules_of(uint64_t seed, uint64_t scene_id) {
  SceneRules rules;
  rules.seed = seed;
  rules.has_habits = is_in_genome(scene_id);
  rules.has_crowds = !is_in_genome(scene_id);
  return rules;
}

}  // namespace snellen::eyechart
