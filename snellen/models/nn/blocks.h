// SPDX-License-Identifier: Apache-2.0
// The two transformer layers of the zoo, by where the norm stands.
#pragma once

#include <optional>
#include <vector>

#include "snellen/models/nn/attention.h"

namespace snellen::models::nn {

// x += attention(norm1 x); x += mlp(norm2 x). CLIP, SigLIP, BLIP's vision, FLAVA, ViLT, GPT-2, OPT.
struct PreNormBlock {
  LayerNorm norm1;
  SelfAttention attention;
  LayerNorm norm2;
  Mlp mlp;

  at::Tensor operator()(const at::Tensor& x, const AttentionMask& mask = {}) const;
};

// x = norm(x + attention x); with a context x = norm(x + cross(x, context)); x = norm(x + mlp x).
// BERT, RoBERTa, BLIP's text, the cross-modal layers of BridgeTower.
struct PostNormBlock {
  SelfAttention attention;
  LayerNorm attention_norm;
  std::optional<CrossAttention> cross;
  LayerNorm cross_norm;
  Mlp mlp;
  LayerNorm mlp_norm;

  at::Tensor operator()(const at::Tensor& x,
                        const AttentionMask& mask = {},
                        const KeysAndValues* context = nullptr,
                        const at::Tensor& hidden_context = {}) const;
  // The same in two steps, and for the first token alone, [n, 1, width].
  at::Tensor after_attention(const at::Tensor& x, const AttentionMask& mask) const;
  at::Tensor after_context(at::Tensor y,
                           const KeysAndValues* context,
                           const at::Tensor& hidden_context) const;
  at::Tensor of_first(const at::Tensor& x,
                      const AttentionMask& mask,
                      const KeysAndValues* context = nullptr,
                      const at::Tensor& hidden_context = {}) const;
};

}  // namespace snellen::models::nn
