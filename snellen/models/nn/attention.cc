// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/attention.h"

#include <cmath>
#include <limits>

#include "snellen/base/error.h"

#include "snellen/models/nn/lengths.h"

namespace snellen::models::nn {
namespace {

// Whether lengths are padded: bits matter in inference on the CPU only.
bool is_padded(const at::Tensor& x) {
  return x.is_cpu() && !x.requires_grad();
}

at::Tensor padded_length(const at::Tensor& x, int64_t length) {
  if (x.size(2) == length) return x;
  return at::constant_pad_nd(x, {0, 0, 0, length - x.size(2)});
}

// [batch, length, width] with rows of zeros up to `length`.
at::Tensor padded_rows(const at::Tensor& x, int64_t length) {
  at::Tensor padded = at::empty({x.size(0), length, x.size(2)}, x.options());
  padded.narrow(1, 0, x.size(1)).copy_(x);
  padded.narrow(1, x.size(1), length - x.size(1)).zero_();
  return padded;
}

// The mask for keys padded at the end: real queries of a causal model never see those.
at::Tensor mask_of_padded(const AttentionMask& mask,
                          const at::Tensor& q,
                          int64_t keys,
                          int64_t padded) {
  if (mask.is_causal) return {};
  if (keys == padded) return mask.hidden_keys;
  double never = -std::numeric_limits<double>::infinity();
  at::Tensor known =
      mask.hidden_keys.defined() ? mask.hidden_keys : at::zeros({1, 1, 1, keys}, q.options());
  return at::constant_pad_nd(known, {0, padded - keys}, never);
}

at::Tensor fused(const at::Tensor& q,
                 const at::Tensor& k,
                 const at::Tensor& v,
                 const at::Tensor& hidden_keys,
                 bool is_causal,
                 double scale) {
  std::optional<at::Tensor> mask;
  if (hidden_keys.defined()) mask = hidden_keys.expand({q.size(0), 1, q.size(2), k.size(2)});
  return at::scaled_dot_product_attention(q, k, v, mask, /*dropout_p=*/0.0, is_causal, scale);
}

}  // namespace

at::Tensor split_heads(const at::Tensor& x, int64_t num_heads) {
  return x.view({x.size(0), x.size(1), num_heads, x.size(2) / num_heads}).transpose(1, 2);
}

at::Tensor join_heads(const at::Tensor& x) {
  return x.transpose(1, 2).reshape({x.size(0), x.size(2), x.size(1) * x.size(3)});
}

at::Tensor attend(const at::Tensor& q,
                  const at::Tensor& k,
                  const at::Tensor& v,
                  const AttentionMask& mask,
                  double scale) {
  if (!is_padded(q)) return fused(q, k, v, mask.hidden_keys, mask.is_causal, scale);
  int64_t queries = q.size(2), keys = k.size(2);
  int64_t padded_queries = rounded_up_length(queries), padded_keys = rounded_up_length(keys);
  at::Tensor result = fused(padded_length(q, padded_queries),
                            padded_length(k, padded_keys),
                            padded_length(v, padded_keys),
                            mask_of_padded(mask, q, keys, padded_keys),
                            mask.is_causal,
                            scale);
  return result.narrow(2, 0, queries);
}

double SelfAttention::scale_for(int64_t width) const {
  if (scale != 0) return scale;
  return 1 / std::sqrt(static_cast<double>(width) / static_cast<double>(num_heads));
}

at::Tensor SelfAttention::operator()(const at::Tensor& x, const AttentionMask& mask) const {
  at::Tensor all = qkv(x);
  int64_t length = x.size(1), padded = is_padded(all) ? rounded_up_length(length) : length;
  AttentionMask shown = mask;
  if (padded != length) {
    // Queries, keys and values in one copy.
    shown.hidden_keys = mask_of_padded(mask, all, length, padded);
    all = padded_rows(all, padded);
  }
  std::vector<at::Tensor> parts = all.chunk(3, -1);
  at::Tensor result = attend(split_heads(parts[0], num_heads),
                             split_heads(parts[1], num_heads),
                             split_heads(parts[2], num_heads),
                             shown,
                             scale_for(parts[0].size(2)));
  return out(join_heads(result.narrow(2, 0, length)));
}

at::Tensor SelfAttention::of(const at::Tensor& queries,
                             const at::Tensor& x,
                             const AttentionMask& mask) const {
  SNELLEN_CHECK(!mask.is_causal);
  int64_t width = qkv.weight.size(0) / 3;
  auto rows = [&](int64_t first, int64_t count) {
    return Linear{.weight = qkv.weight.narrow(0, first, count),
                  .bias = qkv.bias.defined() ? qkv.bias.narrow(0, first, count) : at::Tensor()};
  };
  std::vector<at::Tensor> parts = rows(width, 2 * width)(x).chunk(2, -1);
  return out(join_heads(attend(split_heads(rows(0, width)(queries), num_heads),
                               split_heads(parts[0], num_heads),
                               split_heads(parts[1], num_heads),
                               mask,
                               scale_for(width))));
}

KeysAndValues CrossAttention::remember(const at::Tensor& context) const {
  std::vector<at::Tensor> parts = kv(context).chunk(2, -1);
  at::Tensor k = split_heads(parts[0], num_heads), v = split_heads(parts[1], num_heads);
  int64_t keys = k.size(2), padded = is_padded(k) ? rounded_up_length(keys) : keys;
  return {.k = padded_length(k, padded).contiguous(),
          .v = padded_length(v, padded).contiguous(),
          .hidden_keys = mask_of_padded({}, k, keys, padded)};
}

at::Tensor CrossAttention::operator()(const at::Tensor& x,
                                      const KeysAndValues& context,
                                      const at::Tensor& hidden_keys) const {
  at::Tensor queries = split_heads(q(x), num_heads);
  auto for_all = [&](const at::Tensor& one) {
    return one.expand({queries.size(0), one.size(1), one.size(2), one.size(3)});
  };
  double scale = 1 / std::sqrt(static_cast<double>(queries.size(3)));
  AttentionMask mask = {.hidden_keys = hidden_keys.defined() ? hidden_keys : context.hidden_keys};
  return out(join_heads(attend(queries, for_all(context.k), for_all(context.v), mask, scale)));
}

}  // namespace snellen::models::nn
