// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/blocks.h"

#include "snellen/base/error.h"

namespace snellen::models::nn {

at::Tensor PreNormBlock::operator()(const at::Tensor& x, const AttentionMask& mask) const {
  at::Tensor y = x + attention(norm1(x), mask);
  return y + mlp(norm2(y));
}

at::Tensor PostNormBlock::operator()(const at::Tensor& x,
                                     const AttentionMask& mask,
                                     const KeysAndValues* context,
                                     const at::Tensor& hidden_context) const {
  at::Tensor y = attention_norm(x + attention(x, mask));
  if (context) {
    SNELLEN_CHECK(cross.has_value());
    y = cross_norm(y + (*cross)(y, *context, hidden_context));
  }
  return mlp_norm(y + mlp(y));
}

}  // namespace snellen::models::nn
