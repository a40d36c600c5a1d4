// SPDX-License-Identifier: Apache-2.0
// Products of matrices, with the widest vector instructions that the processor has. One thread; the
// callers share work by blocks.
#pragma once

#include <cstdint>

namespace snellen::cca {

// A matrix [rows, depth] anywhere in memory; a transposed one has its strides exchanged.
template <typename T>
struct Operand {
  const T* data = nullptr;
  int64_t rows = 0;
  int64_t row_stride = 0;
  int64_t depth_stride = 1;
};

enum class Into { kReplace, kAdd };

// out[i, j] = sum over d of a[i, d] * b[j, d]; rows of `out` are `out_stride` apart.
void multiply(const Operand<float>& a,
              const Operand<float>& b,
              int64_t depth,
              float* out,
              int64_t out_stride,
              Into into = Into::kReplace);
void multiply(const Operand<double>& a,
              const Operand<double>& b,
              int64_t depth,
              double* out,
              int64_t out_stride,
              Into into = Into::kReplace);

}  // namespace snellen::cca
