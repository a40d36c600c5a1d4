// SPDX-License-Identifier: Apache-2.0
// Own kernels for NVIDIA devices: the elementwise work between two products in one pass over
// memory. kernels.cc has them where nvcc compiled kernels.cu; no_kernels.cc stands in elsewhere.
// Where there is no kernel for the arguments the caller takes the plain layers. Autograd knows none
// of them.
#pragma once

#include <ATen/ATen.h>

namespace snellen::models::nn::cuda {

// x * sigmoid(1.702 x), where there is a kernel for x: in its place, or anew, and the gradient of x
// from the one of the result, which is contiguous.
bool has_quick_gelu(const at::Tensor& x);
void quick_gelu_in_place(at::Tensor& x);
at::Tensor quick_gelu(const at::Tensor& x);
at::Tensor quick_gelu_gradient(const at::Tensor& gradient, const at::Tensor& x);

struct Summed {
  at::Tensor sum;     // x + y
  at::Tensor normed;  // layer norm of the sum
};
// Undefined tensors when there is no kernel. `weight` and `bias` of the norm are both defined.
Summed add_norm(const at::Tensor& x,
                const at::Tensor& y,
                const at::Tensor& weight,
                const at::Tensor& bias,
                double eps);

}  // namespace snellen::models::nn::cuda
