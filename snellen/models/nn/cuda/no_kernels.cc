// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/cuda/kernels.h"

namespace snellen::models::nn::cuda {

bool quick_gelu_in_place(at::Tensor&) {
  return false;
}

Summed add_norm(
    const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&, double) {
  return {};
}

}  // namespace snellen::models::nn::cuda
