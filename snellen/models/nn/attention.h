// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include "snellen/models/nn/layers.h"

namespace snellen::models::nn {

// Which keys a query may see. The default hides nothing.
struct AttentionMask {
  // Added to the scores: 0 where a key counts, -inf where it is padding. [n, 1, 1, keys], or
  // undefined. A row that hides everything must not occur.
  at::Tensor hidden_keys;
  bool is_causal = false;
};

// softmax(q k^T * scale + mask) v for q [n, heads, queries, d], k and v [n, heads, keys, d]. On the
// CPU lengths are padded to multiples of 16 inside, because other lengths give bits that depend on
// the batch; not in training, where every batch is its own.
at::Tensor attend(const at::Tensor& q,
                  const at::Tensor& k,
                  const at::Tensor& v,
                  const AttentionMask& mask,
                  double scale);

// [n, length, heads * d] <-> [n, heads, length, d].
at::Tensor split_heads(const at::Tensor& x, int64_t num_heads);
at::Tensor join_heads(const at::Tensor& x);

struct SelfAttention {
  Linear qkv;  // the three projections as one product: rows q, k, v
  Linear out;
  int64_t num_heads = 1;
  double scale = 0;  // 0: d_head ^ -0.5

  at::Tensor operator()(const at::Tensor& x, const AttentionMask& mask = {}) const;
  // For some tokens alone: `queries` [n, some, width] are rows of x. The mask must not be causal.
  at::Tensor of(const at::Tensor& queries, const at::Tensor& x, const AttentionMask& mask) const;

 private:
  double scale_for(int64_t width) const;
};

// Keys and values of what is attended to, made once and used for every query.
struct KeysAndValues {
  at::Tensor k;  // [n, heads, keys, d], on the CPU padded to a multiple of 16 keys
  at::Tensor v;
  at::Tensor hidden_keys;  // hides that padding; undefined when there is none
};

struct CrossAttention {
  Linear q;
  Linear kv;  // rows k, v
  Linear out;
  int64_t num_heads = 1;

  KeysAndValues remember(const at::Tensor& context) const;
  // `context` may hold one row for all n of x. `hidden_keys` [n, 1, 1, keys as padded] hides keys
  // of a context that itself is a padded batch.
  at::Tensor operator()(const at::Tensor& x,
                        const KeysAndValues& context,
                        const at::Tensor& hidden_keys = {}) const;
};

}  // namespace snellen::models::nn
