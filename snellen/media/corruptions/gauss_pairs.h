// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "snellen/media/resample/simd.h"

namespace snellen::media {

// How the draw under the logarithm is kept from 0: the two specs differ in it.
enum class NonZero {
  kShifted,   // (n + 1) / 2^53, docs/spec/bias.md 1.3
  kMirrored,  // 1 - n / 2^53, docs/spec/probe.md 6.1, as Rng::gauss has it
};

// Box-Muller over SplitMix64 from `state` on: pair i uses draws 2i and 2i + 1 and becomes
// values[2i] = r cos(angle), values[2i + 1] = r sin(angle); an even number of values. The logarithm
// and the sine are ours (within 2 units in the last place), made of plain IEEE operations, so that
// every CPU and vector width gives the same bits and a compiler can take several pairs at a time.
void fill_gauss_pairs(uint64_t state,
                      std::span<double> values,
                      SimdLevel level = best_simd_level(),
                      NonZero rule = NonZero::kShifted);

}  // namespace snellen::media
