// SPDX-License-Identifier: Apache-2.0
// What nvcc compiles and the host compiler calls: raw device memory, no tensor. `stream` is a
// cudaStream_t.
#pragma once

#include <cstdint>

namespace snellen::models::nn::cuda {

enum class Element { kFloat32, kBFloat16, kFloat16 };

// Rows are read eight elements at a time and held in registers.
inline constexpr int64_t kVector = 8;
inline constexpr int64_t kWidestRow = 32 * kVector * 16;

struct AddNorm {
  const void* x;
  const void* y;
  const void* weight;
  const void* bias;
  void* sum;
  void* normed;
  int64_t rows;
  int64_t width;  // a multiple of kVector, at most kWidestRow
  float eps;
};

// `count` is a multiple of kVector; pointers are aligned to 16 bytes. `x` and `y` may be one.
void launch_quick_gelu(Element type, const void* x, void* y, int64_t count, void* stream);
// `result` is `gradient` times the slope at `x`.
void launch_quick_gelu_gradient(
    Element type, const void* gradient, const void* x, void* result, int64_t count, void* stream);
void launch_add_norm(Element type, const AddNorm& work, void* stream);

}  // namespace snellen::models::nn::cuda
