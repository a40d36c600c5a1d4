// SPDX-License-Identifier: Apache-2.0
// SplitMix64 (Steele et al. 2014), the one generator under every stream: draw i of a stream is
// splitmix64(state + i * kSplitMixGamma), i = 1, 2, ..., so any draw can be made at once.
#pragma once

#include <cstdint>

namespace snellen {

inline constexpr uint64_t kSplitMixGamma = 0x9E3779B97F4A7C15U;

// Always inlined, so that it is compiled for the instruction set of the loop it stands in.
[[gnu::always_inline]] constexpr inline uint64_t splitmix64(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

}  // namespace snellen
