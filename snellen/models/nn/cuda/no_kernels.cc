// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/cuda/kernels.h"

namespace snellen::models::nn::cuda {

const char* kernels_built_for() {
  return "";
}

at::Tensor quick_gelu(const at::Tensor&) {
  return {};
}

Summed add_norm(
    const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&, double) {
  return {};
}

}  // namespace snellen::models::nn::cuda
