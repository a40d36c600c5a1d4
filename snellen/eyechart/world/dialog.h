// SPDX-License-Identifier: Apache-2.0
// Ten questions about a scene with their answers, and the answers that stand beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "snellen/base/rng.h"
#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

struct Round {
  std::string question;
  std::string answer;
  std::vector<std::string> options;  // 100, all different; one is the answer
  size_t answer_index = 0;
  // How many of five people would call an option right, as a share: 1 for the answer, 0.6 to 1 for
  // the same in other words, else 0.
  std::vector<double> relevance;
};

inline constexpr size_t kRounds = 10;
inline constexpr size_t kOptions = 100;

struct Dialog {
  std::string caption;
  std::vector<Round> rounds;  // kRounds
};

// From the stream "{seed}|eyechart-dialog|{id}". Safe from many threads.
Dialog draw_dialog(const Scene& scene, uint64_t seed);

}  // namespace snellen::eyechart
