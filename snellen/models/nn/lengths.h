// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace snellen::models::nn {

// On the CPU attention runs over lengths that are multiples of 16: others give bits that depend on
// the batch.
constexpr int64_t rounded_up_length(int64_t length) {
  constexpr int64_t kStep = 16;
  return (length + kStep - 1) / kStep * kStep;
}

}  // namespace snellen::models::nn
