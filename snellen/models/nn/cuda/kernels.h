// SPDX-License-Identifier: Apache-2.0
// Own kernels for NVIDIA devices: the elementwise work between two products in one pass over
// memory. kernels.cc has them where nvcc compiled kernels.cu; no_kernels.cc stands in elsewhere.
// Every function gives an undefined tensor when it has no kernel for its arguments: the caller then
// takes the plain layers. No gradients.
#pragma once

#include <ATen/ATen.h>

namespace snellen::models::nn::cuda {

// Written to `doctor` and the stamp: "sm_90", or empty without kernels.
const char* kernels_built_for();

// x * sigmoid(1.702 x).
at::Tensor quick_gelu(const at::Tensor& x);

struct Summed {
  at::Tensor sum;     // x + y
  at::Tensor normed;  // layer norm of the sum
};
// `weight` and `bias` of the norm are both defined and of x's type.
Summed add_norm(const at::Tensor& x,
                const at::Tensor& y,
                const at::Tensor& weight,
                const at::Tensor& bias,
                double eps);

}  // namespace snellen::models::nn::cuda
