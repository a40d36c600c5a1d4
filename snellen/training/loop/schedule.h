// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace snellen::training {

// Linear warm-up, then half a cosine down to zero.
struct Schedule {
  double peak = 1e-3;
  uint64_t num_steps = 1;
  uint64_t warmup_steps = 0;

  // Of a step, counted from 0. The first step after warm-up has the peak; the last one is above 0.
  double learning_rate(uint64_t step) const;
};

}  // namespace snellen::training
