// SPDX-License-Identifier: Apache-2.0
// Which items a bootstrap replicate draws. The stream is fixed by docs/spec/bias.md 4.4: one
// SplitMix64 with state = seed, n draws for each replicate in turn. SplitMix64 is a counter, so a
// replicate starts at its own place at once and the draws are the same whichever thread makes them.
#pragma once

#include <cstdint>
#include <span>

#include "snellen/base/splitmix.h"

namespace snellen::stats {

// One thread at a time. Draws with replacement among n items, 0 < n < 2^32.
class Resample {
 public:
  Resample(uint64_t seed, uint64_t replicate, uint32_t n)
      : state_(seed + replicate * n * kSplitMixGamma), n_(n) {}

  // The next draws of this replicate; it has n in all.
  void fill(std::span<uint32_t> indices) {
    for (uint32_t& index : indices) {
      state_ += kSplitMixGamma;
      uint64_t z = splitmix64(state_);
      // floor(u * n) with u in [0, 1); signed, because that conversion is one instruction.
      double u = static_cast<double>(static_cast<int64_t>(z >> 11)) * 0x1.0p-53;
      index = static_cast<uint32_t>(static_cast<int64_t>(u * n_));
    }
  }

 private:
  uint64_t state_;
  double n_;
};

}  // namespace snellen::stats
