// SPDX-License-Identifier: Apache-2.0
// Which items a bootstrap replicate draws. The stream is fixed by spec/bias.md 4.4: one SplitMix64
// with state = seed, n draws for each replicate in turn. SplitMix64 is a counter, so a replicate
// starts at its own place at once and the draws are the same whichever thread makes them.
#pragma once

#include <cstdint>
#include <span>

namespace snellen::stats {

// One thread at a time. Draws with replacement among n items, 0 < n < 2^32.
class Resample {
 public:
  Resample(uint64_t seed, uint64_t replicate, uint32_t n)
      : state_(seed + replicate * n * kGamma), n_(n) {}

  // The next draws of this replicate; it has n in all.
  void fill(std::span<uint32_t> indices) {
    for (uint32_t& index : indices) {
      state_ += kGamma;
      uint64_t z = state_;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
      z ^= z >> 31;
      // floor(u * n) with u in [0, 1); signed, because that conversion is one instruction.
      double u = static_cast<double>(static_cast<int64_t>(z >> 11)) * 0x1.0p-53;
      index = static_cast<uint32_t>(static_cast<int64_t>(u * n_));
    }
  }

 private:
  static constexpr uint64_t kGamma = 0x9E3779B97F4A7C15U;
  uint64_t state_;
  double n_;
};

}  // namespace snellen::stats
