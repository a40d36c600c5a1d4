// SPDX-License-Identifier: Apache-2.0
// How large a tree is, and which scene goes where in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

// How many of each there are.
struct TreeSize {
  uint64_t scenes = 0;
  uint64_t backdrops = 0;
  uint64_t counting_clips = 0;
  uint64_t action_clips = 0;
  uint64_t swapping_clips = 0;
  uint64_t state_clips = 0;
  uint64_t rare_clips = 0;
  uint64_t relation_clips = 0;
  uint64_t train_dialogs = 0;
  uint64_t val_dialogs = 0;
  uint64_t bias_pictures = 0;
  uint64_t direction_pairs = 0;  // two pictures each
  uint64_t binding_pairs = 0;

  uint64_t clips() const {
    return counting_clips + action_clips + swapping_clips + state_clips + rare_clips +
           relation_clips;
  }
  uint64_t contrast_pairs() const { return direction_pairs + binding_pairs; }
};

// "tiny", "small" or "full"; nothing for another name.
std::optional<TreeSize> tree_size(std::string_view name);

// To which data set a scene belongs. Of ten scenes three are COCO's train2014, three its val2014
// and four Visual Genome's; one of the train scenes is in both, as in reality.
enum class Source : uint8_t { kCocoTrain, kCocoVal, kGenome };
Source source_of(uint64_t scene_id);
// "train2014" or "val2014", of the two COCO sources.
std::string coco_split_of(Source source);
bool is_in_genome(uint64_t scene_id);
// The rules under which the tree's scenes are drawn; ids run from 1.
SceneRules rules_of(uint64_t seed, uint64_t scene_id);

}  // namespace snellen::eyechart
