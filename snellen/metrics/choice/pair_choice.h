// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace snellen::metrics {

// Two-way choice between a right text and its foil (docs/spec/probe.md 3.1, eqs 1-3).
struct PairChoice {
  double confidence;  // exp(right) / (exp(right) + exp(foil)), the maximum subtracted first
  bool is_correct;    // right > foil; a tie is wrong
  bool is_tied;
};

PairChoice pair_choice(double right, double foil);

// As the reference scripts decide: by the two float32 softmax values, so near-ties are ties. The
// confidence stays in double.
PairChoice pair_choice_float(double right, double foil);

}  // namespace snellen::metrics
