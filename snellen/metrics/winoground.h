// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace snellen::metrics {

// scores[image][prompt]; prompt i belongs to image i.
using FourScores = std::array<std::array<double, 2>, 2>;

// Winoground's three decisions (spec/probe.md 3.3, eqs 4-6). All comparisons are strict, so ties
// fail.
struct Winoground {
  bool text;     // each image prefers its own prompt
  bool image;    // each prompt prefers its own image
  bool group;    // both
  int num_ties;  // of the four comparisons
  // Softmax over the prompts, for each image: confidence[image][prompt].
  FourScores confidence;
};

Winoground winoground(const FourScores& scores);

}  // namespace snellen::metrics
