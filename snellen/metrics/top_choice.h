// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace snellen::metrics {

// Is the right one of several texts on top? (spec/probe.md 3.6)
struct TopChoice {
  double confidence;  // softmax share of the right text
  bool is_correct;    // the first maximum is the right text
  bool is_tied;       // another text has the same score as the maximum
};

TopChoice top_choice(std::span<const double> scores, size_t right);

}  // namespace snellen::metrics
