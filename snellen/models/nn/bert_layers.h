// SPDX-License-Identifier: Apache-2.0
// BERT's embeddings and layers (Devlin et al. 2019) under the names its descendants kept: BERT,
// ALIGN's and BLIP's text, RoBERTa in BridgeTower, the Q-Former.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "snellen/models/nn/blocks.h"
#include "snellen/models/nn/text_batch.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::nn {

struct BertEmbeddings {
  at::Tensor words;      // [vocabulary, width]
  at::Tensor positions;  // [positions, width]
  at::Tensor type;       // [width], the row of type 0; undefined where the family has none
  LayerNorm norm;
  // RoBERTa: the position of a token is this id plus its number among the tokens that are not this
  // id, counted from 1; the id itself, also where a text spells it, stands at position id.
  std::optional<int64_t> pad_id = {};

  int64_t vocabulary() const { return words.size(0); }
  int64_t max_tokens() const { return positions.size(0) - (pad_id ? *pad_id + 1 : 0); }
  at::Tensor operator()(const at::Tensor& ids) const;
};

struct BertShape {
  int64_t width = 768;
  int64_t mlp_width = 3072;
  int64_t num_heads = 12;
  double eps = 1e-12;
  Activation activation = Activation::kGelu;
  int64_t context_width = 0;  // of what cross-attention looks at; 0 for none
};

// hidden_size, intermediate_size, num_attention_heads, layer_norm_eps, hidden_act.
BertShape bert_shape(const ConfigView& config, const BertShape& defaults = {});

// prefix + "word_embeddings.weight" and so on; `num_types` 0 leaves types out.
BertEmbeddings bert_embeddings(Weights& weights,
                               const std::string& prefix,
                               int64_t vocabulary,
                               int64_t num_positions,
                               int64_t num_types,
                               const BertShape& shape);

// The attention of one layer; the prefix ends with a dot: "encoder.layer.3.". `self` holds query,
// key and value: "attention.self" in BERT, "attention.attention" in the Q-Former.
SelfAttention bert_attention(Weights& weights,
                             const std::string& prefix,
                             const std::string& self,
                             const BertShape& shape);
// The same for "crossattention.self", with keys and values of shape.context_width.
CrossAttention bert_cross_attention(Weights& weights,
                                    const std::string& prefix,
                                    const std::string& self,
                                    const BertShape& shape);
PostNormBlock bert_layer(Weights& weights, const std::string& prefix, const BertShape& shape);
std::vector<PostNormBlock> bert_layers(Weights& weights,
                                       const std::string& layers_prefix,
                                       int64_t num_layers,
                                       const BertShape& shape);

// Layers one after the other, the first row traced as "<tower>.K" without padding.
at::Tensor run_layers(std::span<const PostNormBlock> layers,
                      at::Tensor x,
                      const TextBatch& batch,
                      Trace* trace,
                      std::string_view tower);

}  // namespace snellen::models::nn
