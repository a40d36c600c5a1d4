// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/loop/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace snellen::training {

double Schedule::learning_rate(uint64_t step) const {
  if (step < warmup_steps)
    return peak * static_cast<double>(step + 1) / static_cast<double>(warmup_steps);
  uint64_t length = std::max<uint64_t>(num_steps - std::min(warmup_steps, num_steps), 1);
  double done =
      static_cast<double>(std::min(step - warmup_steps, length)) / static_cast<double>(length);
  return peak * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

}  // namespace snellen::training
