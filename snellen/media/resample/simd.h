// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace snellen::media {

// Instruction sets our loops are written for. Every level gives the same bytes.
enum class SimdLevel {
  kPlain,
  kAvx2,
  kAvx512,  // F, BW, VL and VNNI
};

// True when this processor has what a level needs.
bool is_supported(SimdLevel level);
// The highest level this processor supports.
SimdLevel best_simd_level();

}  // namespace snellen::media
