// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/resample/simd.h"

namespace snellen::media {

bool is_supported(SimdLevel level) {
  switch (level) {
    case SimdLevel::kPlain:
      return true;
    case SimdLevel::kAvx2:
      return __builtin_cpu_supports("avx2");
    case SimdLevel::kAvx512:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512vnni");
  }
  return level == SimdLevel::kPlain;
}

SimdLevel best_simd_level() {
  if (is_supported(SimdLevel::kAvx512)) return SimdLevel::kAvx512;
  if (is_supported(SimdLevel::kAvx2)) return SimdLevel::kAvx2;
  return SimdLevel::kPlain;
}

}  // namespace snellen::media
