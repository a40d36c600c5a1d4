// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/blocks.h"

#include "snellen/base/error.h"
#include "snellen/models/nn/fused.h"

namespace snellen::models::nn {

at::Tensor PreNormBlock::operator()(const at::Tensor& x, const AttentionMask& mask) const {
  auto [y, normed] = add_norm(x, attention(norm1(x), mask), norm2);
  return y + mlp(normed);
}

at::Tensor PostNormBlock::operator()(const at::Tensor& x,
                                     const AttentionMask& mask,
                                     const KeysAndValues* context,
                                     const at::Tensor& hidden_context) const {
  at::Tensor y = add_norm(x, attention(x, mask), attention_norm).normed;
  if (context) {
    SNELLEN_CHECK(cross.has_value());
    y = add_norm(y, (*cross)(y, *context, hidden_context), cross_norm).normed;
  }
  return add_norm(y, mlp(y), mlp_norm).normed;
}

}  // namespace snellen::models::nn
