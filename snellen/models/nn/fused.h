// SPDX-License-Identifier: Apache-2.0
// Steps that a device can do in one pass over memory. Elsewhere, and while training, they are the
// layers one after the other.
#pragma once

#include "snellen/models/nn/cuda/kernels.h"
#include "snellen/models/nn/layers.h"

namespace snellen::models::nn {

// x + y and its norm.
cuda::Summed add_norm(const at::Tensor& x, const at::Tensor& y, const LayerNorm& norm);

// activation(product(x)).
at::Tensor activated_product(const Linear& product, Activation activation, const at::Tensor& x);

}  // namespace snellen::models::nn
