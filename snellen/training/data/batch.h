// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/models/network.h"

namespace snellen::training {

// A picture (or clip) and a text, by their places in a batch.
struct Match {
  uint32_t visual = 0;
  uint32_t text = 0;

  bool operator==(const Match&) const = default;
};

// A selective negative: the right pair should score higher than the wrong one, by the margin. The
// weights of a batch add up to 1 (or to 0 when it has none).
struct Contrast {
  Match right;
  Match wrong;
  float weight = 1;
  std::string_view kind = {};  // what the wrong pair gets wrong, for evaluations; a literal
  uint32_t sample = 0;         // of the batch: contrasts of one sample are not independent
};

// What one step learns from.
struct Batch {
  int64_t num_visuals = 0;  // pictures, or clips of num_frames pictures each
  int64_t num_frames = 1;
  int64_t side = 0;             // of the square pictures
  std::vector<uint8_t> pixels;  // [num_visuals * num_frames, side, side, 3]
  std::vector<models::TokenIds> texts;
  std::vector<Match> matches;         // pairs that belong together
  std::vector<Contrast> contrasts;    // empty in plain training
  uint64_t num_replaced = 0;          // samples that could not be read; others stand for them
  std::vector<std::string> reasons;   // of the first few of those
  std::string_view set = "held-out";  // what an evaluation calls it; a literal
};

}  // namespace snellen::training
