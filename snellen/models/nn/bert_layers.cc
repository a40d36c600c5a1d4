// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/bert_layers.h"

#include <fmt/format.h>

#include "snellen/models/nn/convert.h"

namespace snellen::models::nn {

at::Tensor BertEmbeddings::operator()(const at::Tensor& ids) const {
  at::Tensor places;
  if (pad_id) {
    at::Tensor is_counted = ids.ne(*pad_id).to(at::kLong);
    places = is_counted.cumsum(1) * is_counted + *pad_id;
  } else {
    places = at::arange(ids.size(1), ids.options());
  }
  // Only padding can lie beyond the table.
  at::Tensor x =
      at::embedding(words, ids) + at::embedding(positions, places.clamp_max(positions.size(0) - 1));
  if (type.defined()) x = x + type;
  return norm(x);
}

BertShape bert_shape(const ConfigView& config, const BertShape& defaults) {
  BertShape shape = defaults;
  shape.width = config.positive("hidden_size", defaults.width);
  shape.mlp_width = config.positive("intermediate_size", defaults.mlp_width);
  shape.num_heads = config.heads("num_attention_heads", defaults.num_heads, shape.width);
  shape.eps = config.positive_number("layer_norm_eps", defaults.eps);
  shape.activation =
      activation_of(config.text("hidden_act", std::string(name_of(defaults.activation))));
  return shape;
}

BertEmbeddings bert_embeddings(Weights& weights,
                               const std::string& prefix,
                               int64_t vocabulary,
                               int64_t num_positions,
                               int64_t num_types,
                               const BertShape& shape) {
  BertEmbeddings embeddings;
  embeddings.words = weights.take(prefix + "word_embeddings.weight", {vocabulary, shape.width});
  embeddings.positions =
      weights.take(prefix + "position_embeddings.weight", {num_positions, shape.width});
  if (num_types > 0)
    embeddings.type =
        weights.take(prefix + "token_type_embeddings.weight", {num_types, shape.width})[0].clone();
  embeddings.norm = weights.layer_norm(prefix + "LayerNorm", shape.width, shape.eps);
  return embeddings;
}

SelfAttention bert_attention(Weights& weights,
                             const std::string& prefix,
                             const std::string& self,
                             const BertShape& shape) {
  int64_t width = shape.width;
  std::string from = prefix + self + ".";
  return {.qkv = weights.merged({from + "query", from + "key", from + "value"}, width, width),
          .out = weights.linear(prefix + "attention.output.dense", width, width),
          .num_heads = shape.num_heads};
}

CrossAttention bert_cross_attention(Weights& weights,
                                    const std::string& prefix,
                                    const std::string& self,
                                    const BertShape& shape) {
  int64_t width = shape.width;
  std::string from = prefix + self + ".";
  return {.q = weights.linear(from + "query", width, width),
          .kv = weights.merged({from + "key", from + "value"}, width, shape.context_width),
          .out = weights.linear(prefix + "crossattention.output.dense", width, width),
          .num_heads = shape.num_heads};
}

PostNormBlock bert_layer(Weights& weights, const std::string& prefix, const BertShape& shape) {
  int64_t width = shape.width;
  PostNormBlock block;
  block.attention = bert_attention(weights, prefix, "attention.self", shape);
  block.attention_norm =
      weights.layer_norm(prefix + "attention.output.LayerNorm", width, shape.eps);
  if (shape.context_width > 0) {
    block.cross = bert_cross_attention(weights, prefix, "crossattention.self", shape);
    block.cross_norm =
        weights.layer_norm(prefix + "crossattention.output.LayerNorm", width, shape.eps);
  }
  block.mlp = {.in = weights.linear(prefix + "intermediate.dense", shape.mlp_width, width),
               .out = weights.linear(prefix + "output.dense", width, shape.mlp_width),
               .activation = shape.activation};
  block.mlp_norm = weights.layer_norm(prefix + "output.LayerNorm", width, shape.eps);
  return block;
}

std::vector<PostNormBlock> bert_layers(Weights& weights,
                                       const std::string& layers_prefix,
                                       int64_t num_layers,
                                       const BertShape& shape) {
  std::vector<PostNormBlock> layers;
  for (int64_t i = 0; i < num_layers; ++i)
    layers.push_back(bert_layer(weights, fmt::format("{}{}.", layers_prefix, i), shape));
  return layers;
}

at::Tensor run_layers(std::span<const PostNormBlock> layers,
                      at::Tensor x,
                      const TextBatch& batch,
                      Trace* trace,
                      std::string_view tower) {
  auto show = [&](size_t layer) {
    if (trace) record(trace, tower, layer, x.narrow(0, 0, 1).narrow(1, 0, batch.lengths[0]));
  };
  show(0);
  for (size_t i = 0; i < layers.size(); ++i) {
    x = layers[i](x, {.hidden_keys = batch.hidden_keys});
    show(i + 1);
  }
  return x;
}

}  // namespace snellen::models::nn
