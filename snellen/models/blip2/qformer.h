// SPDX-License-Identifier: Apache-2.0
// BLIP-2's Q-Former (Li et al. 2023; docs/spec/models.md 4.4): learnt queries that look at the
// picture, beside a text that only they and itself can see.
#pragma once

#include <optional>
#include <vector>

#include "snellen/models/nn/bert_layers.h"
#include "snellen/models/nn/blocks.h"

namespace snellen::models::blip2 {

struct QFormerLayer {
  nn::SelfAttention attention;
  nn::LayerNorm attention_norm;
  std::optional<nn::CrossAttention> cross;  // in every few layers, for the queries alone
  nn::LayerNorm cross_norm;
  nn::Mlp query_mlp;
  nn::LayerNorm query_norm;
  std::optional<nn::Mlp> text_mlp;
  nn::LayerNorm text_norm;
};

// A picture as the layers with cross-attention want it; nothing for the others.
using QFormerContext = std::vector<std::optional<nn::KeysAndValues>>;

// Float32 throughout, whatever type the towers around it have.
struct QFormer {
  at::Tensor queries;  // [1, queries, width]
  nn::LayerNorm norm;
  std::vector<QFormerLayer> layers;

  int64_t num_queries() const { return queries.size(1); }
  // `image` [1 or n, tokens, vision width], of any type.
  QFormerContext remember(const at::Tensor& image) const;
  // x [n, num_queries + length, width], embedded but not yet normed; num_queries 0 for text alone,
  // which needs no context. Layers are traced as "qformer.K" for the first row.
  at::Tensor operator()(at::Tensor x,
                        int64_t num_queries,
                        const at::Tensor& hidden_keys,
                        const QFormerContext* context,
                        Trace* trace = nullptr,
                        int64_t traced_length = 0) const;
  // The queries alone: [n, queries, width].
  at::Tensor look(const QFormerContext& context, int64_t n, Trace* trace) const;
};

QFormer load_qformer(nn::Weights& weights,
                     const ConfigView& config,
                     int64_t num_queries,
                     int64_t vision_width,
                     bool has_text);

}  // namespace snellen::models::blip2
