// SPDX-License-Identifier: Apache-2.0
// The weights of one pass, as Pillow computes them: normalised in double, then rounded to 22 bits
// of fraction. A sum of byte * weight is exact in 32 bits, so any order of adding gives the same
// byte, and every SIMD level may split the weights as it likes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "snellen/media/resample/filter.h"
#include "snellen/media/resample/rounding.h"

namespace snellen::media {

// What is computed of one axis: `out_size` samples from `in_size`, of which [first, first + count).
struct Axis {
  int in_size = 0;
  int out_size = 0;
  int first = 0;
  int count = 0;

  // A pass that would copy every sample is skipped, as Pillow does.
  bool is_identity() const { return in_size == out_size; }
};

// How many weights an axis takes, zeros included.
size_t num_weights(const Axis& axis, Filter filter);

class Weights {
 public:
  Weights(const Axis& axis, Filter filter);

  int num_outputs() const { return static_cast<int>(starts_.size()); }
  // The first input sample of an output, and how many it takes.
  int start(int output) const { return starts_[static_cast<size_t>(output)]; }
  int count(int output) const { return counts_[static_cast<size_t>(output)]; }
  // max_taps() weights, those beyond count() being zero; max_taps() is a multiple of 4.
  const int32_t* taps(int output) const {
    return values_.data() + max_taps_ * static_cast<size_t>(output);
  }
  size_t max_taps() const { return max_taps_; }
  // The input samples that are read: [first_input, end_input).
  int first_input() const;
  int end_input() const;
  // The same weights for inputs that begin at `offset`.
  void shift(int offset);

 private:
  size_t max_taps_ = 0;
  std::vector<int32_t> starts_;
  std::vector<int32_t> counts_;
  std::vector<int32_t> values_;
};

}  // namespace snellen::media
