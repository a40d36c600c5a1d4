// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/convolution.h"

namespace snellen::models::nn {

at::Tensor Convolution::operator()(const at::Tensor& x) const {
  const auto [left, right, top, bottom] = padding;
  bool is_symmetric = left == right && top == bottom;
  at::Tensor padded = is_symmetric ? x : at::constant_pad_nd(x, {left, right, top, bottom});
  std::array<int64_t, 2> sides = {is_symmetric ? top : 0, is_symmetric ? left : 0};
  return at::conv2d(padded, weight, bias, {stride, stride}, sides, {1, 1}, groups);
}

Convolution normed_convolution(Weights& weights,
                               const std::string& convolution,
                               const std::string& norm,
                               const ConvolutionShape& shape) {
  weights.mark_batch_dependent();
  int64_t out = shape.out;
  at::Tensor weight =
      weights.take_float(convolution + ".weight", {out, shape.in, shape.kernel, shape.kernel});
  at::Tensor scale = weights.take_float(norm + ".weight", {out}) /
                     (weights.take_float(norm + ".running_var", {out}) + shape.eps).sqrt();
  at::Tensor shift = weights.take_float(norm + ".bias", {out}) -
                     weights.take_float(norm + ".running_mean", {out}) * scale;
  return {.weight = (weight * scale.view({out, 1, 1, 1})).to(weights.options()),
          .bias = shift.to(weights.options())};
}

}  // namespace snellen::models::nn
