// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "snellen/eyechart/vilma/clip_item.h"

namespace snellen::training {

// Clip number `index` of a training world: the six kinds take turns.
eyechart::vilma::VilmaClip training_clip(uint64_t seed, uint64_t index);

struct ClipItem {
  std::string caption;
  int first_frame = 0;
  int last_frame = 0;
};

// What is asked about a clip, each with the frames it is asked of.
std::vector<ClipItem> items_of(const eyechart::vilma::VilmaClip& clip);

}  // namespace snellen::training
