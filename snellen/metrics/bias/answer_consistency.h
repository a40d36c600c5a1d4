// SPDX-License-Identifier: Apache-2.0
// Does a model say the same when the noise is drawn again or the options change places
// (docs/spec/bias.md 1.6)?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "snellen/metrics/control/control_ladder.h"

namespace snellen::metrics {

struct AnswerConsistency {
  uint64_t num_groups = 0;             // with two answers or more
  uint64_t num_answers = 0;            // in those groups
  uint64_t num_agreeing = 0;           // equal to their group's most frequent answer
  std::optional<double> share;         // num_agreeing / num_answers
  std::optional<double> fleiss_kappa;  // over the five classes; nothing when groups differ in size
                                       // or one class is all
};

// Each group holds the answers to one item at one level, over replicates or option orders.
AnswerConsistency answer_consistency(std::span<const std::vector<AnswerClass>> groups);

}  // namespace snellen::metrics
