// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "snellen/metrics/metric.h"

namespace snellen::metrics {

// scores[image][prompt]; prompt i belongs to image i.
using FourScores = std::array<std::array<double, 2>, 2>;

// Winoground's three decisions (docs/spec/probe.md 3.3, eqs 4-6). All comparisons are strict, so
// ties fail.
struct Winoground {
  bool text;     // each image prefers its own prompt
  bool image;    // each prompt prefers its own image
  bool group;    // both
  int num_ties;  // of the four comparisons
  // Softmax over the prompts, for each image: confidence[image][prompt].
  FourScores confidence;
};

Winoground winoground(const FourScores& scores);

// The three decisions, the four confidences, and the mean confidence of the two right pairs.
enum WinogroundColumn : size_t {
  kText,
  kImage,
  kGroup,
  kImage1Prompt1,
  kImage1Prompt2,
  kImage2Prompt1,
  kImage2Prompt2,
  kRightPairs
};
std::vector<MetricColumn> winoground_columns();
// Of shares among the prompts of one image the image and group scores are undefined, and the text
// score is the headline.
Judged judge_winoground(const FourScores& scores, Ties ties, bool are_shares_per_image = false);

}  // namespace snellen::metrics
