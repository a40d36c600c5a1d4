// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "snellen/base/anywhere.h"

namespace snellen::media {

constexpr int kWeightBits = 32 - 8 - 2;
constexpr int32_t kHalf = 1 << (kWeightBits - 1);

// A weighted sum, rounded and brought into 0..255.
SNELLEN_ANYWHERE uint8_t to_byte(int32_t sum) {
  const int32_t value = sum >> kWeightBits;
  return static_cast<uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

}  // namespace snellen::media
