// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <ATen/ATen.h>

#include "snellen/models/nn/weights.h"

namespace snellen::models::nn {

struct Convolution {
  at::Tensor weight;  // [out, in / groups, kernel, kernel]
  at::Tensor bias;    // [out]
  int64_t stride = 1;
  int64_t groups = 1;
  std::array<int64_t, 4> padding = {0, 0, 0, 0};  // left, right, top, bottom

  at::Tensor operator()(const at::Tensor& x) const;
};

struct ConvolutionShape {
  int64_t out = 0;
  int64_t in = 0;  // channels of one group
  int64_t kernel = 1;
  double eps = 1e-5;  // of the normalisation
};

// convolution.weight without bias and the batch normalisation after it, whose running statistics
// are folded in (in float32). Stride, groups and padding are the caller's.
Convolution normed_convolution(Weights& weights,
                               const std::string& convolution,
                               const std::string& norm,
                               const ConvolutionShape& shape);

}  // namespace snellen::models::nn
