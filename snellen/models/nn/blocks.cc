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
  return after_context(after_attention(x, mask), context, hidden_context);
}

at::Tensor PostNormBlock::of_first(const at::Tensor& x,
                                   const AttentionMask& mask,
                                   const KeysAndValues* context,
                                   const at::Tensor& hidden_context) const {
  const at::Tensor first = x.narrow(1, 0, 1).contiguous();
  return after_context(add_norm(first, attention.of(first, x, mask), attention_norm).normed,
                       context,
                       hidden_context);
}

at::Tensor PostNormBlock::after_attention(const at::Tensor& x, const AttentionMask& mask) const {
  return add_norm(x, attention(x, mask), attention_norm).normed;
}

at::Tensor PostNormBlock::after_context(at::Tensor y,
                                        const KeysAndValues* context,
                                        const at::Tensor& hidden_context) const {
  if (context) {
    SNELLEN_CHECK(cross.has_value());
    y = add_norm(y, (*cross)(y, *context, hidden_context), cross_norm).normed;
  }
  return add_norm(y, mlp(y), mlp_norm).normed;
}

}  // namespace snellen::models::nn
