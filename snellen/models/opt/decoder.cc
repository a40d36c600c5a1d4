// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/opt/decoder.h"

#include <fmt/format.h>

#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/text_batch.h"
#include "snellen/models/nn/vision_transformer.h"

namespace snellen::models::opt {
namespace {

constexpr int64_t kPositionOffset = 2;

struct LayerLoader {
  nn::Weights& weights;
  int64_t width;
  int64_t mlp_width;
  int64_t num_heads;
  nn::Activation activation;
  bool has_bias;
  bool has_norm_weights;

  nn::LayerNorm norm(const std::string& name) const {
    if (has_norm_weights) return weights.layer_norm(name, width, 1e-5);
    return {.weight = {}, .bias = {}, .eps = 1e-5};
  }
  nn::SelfAttention attention(const std::string& prefix) const {
    std::string self = prefix + "self_attn.";
    return {.qkv = weights.merged(
                {self + "q_proj", self + "k_proj", self + "v_proj"}, width, width, has_bias),
            .out = weights.linear(self + "out_proj", width, width, has_bias),
            .num_heads = num_heads};
  }
  nn::Mlp mlp(const std::string& prefix) const {
    return {.in = weights.linear(prefix + "fc1", mlp_width, width, has_bias),
            .out = weights.linear(prefix + "fc2", width, mlp_width, has_bias),
            .activation = activation};
  }
};

}  // namespace

at::Tensor Decoder::embed(const at::Tensor& ids) const {
  at::Tensor x = at::embedding(tokens, ids);
  return project_in ? (*project_in)(x) : x;
}

at::Tensor Decoder::operator()(const at::Tensor& embeddings,
                               Trace* trace,
                               std::string_view tower,
                               int64_t traced_length) const {
  at::Tensor places =
      nn::positions_of(embeddings.size(1), max_tokens(), embeddings.device()) + kPositionOffset;
  at::Tensor x = embeddings + at::embedding(positions, places);
  nn::AttentionMask causal = {.hidden_keys = {}, .is_causal = true};
  x = nn::run_blocks(pre_norm, x, causal, trace, tower, traced_length);
  for (size_t i = 0; i < post_norm.size(); ++i) {
    x = post_norm[i](x, causal);
    if (trace) nn::record(trace, tower, i + 1, x.narrow(0, 0, 1).narrow(1, 0, traced_length));
  }
  if (final_norm) x = (*final_norm)(x);
  return project_out ? (*project_out)(x) : x;
}

Decoder load_decoder(nn::Weights& weights,
                     const ConfigView& config,
                     const std::string& prefix,
                     const std::string& head) {
  Decoder decoder;
  int64_t width = config.positive("hidden_size", 768);
  int64_t embedding_width = config.positive("word_embed_proj_dim", width);
  int64_t vocabulary = config.positive("vocab_size", 50272);
  bool is_pre_norm = config.boolean("do_layer_norm_before", true);
  LayerLoader loader{.weights = weights,
                     .width = width,
                     .mlp_width = config.positive("ffn_dim", 3072),
                     .num_heads = config.heads("num_attention_heads", 12, width),
                     .activation = nn::activation_of(config.text("activation_function", "relu")),
                     .has_bias = config.boolean("enable_bias", true),
                     .has_norm_weights = config.boolean("layer_norm_elementwise_affine", true)};
  decoder.tokens = weights.take(prefix + "embed_tokens.weight", {vocabulary, embedding_width});
  decoder.positions =
      weights.take(prefix + "embed_positions.weight",
                   {config.positive("max_position_embeddings", 2048) + kPositionOffset, width});
  if (embedding_width != width) {
    decoder.project_in =
        weights.linear(prefix + "project_in", width, embedding_width, /*has_bias=*/false);
    decoder.project_out =
        weights.linear(prefix + "project_out", embedding_width, width, /*has_bias=*/false);
  }
  int64_t num_layers = config.layers("num_hidden_layers", 12);
  for (int64_t i = 0; i < num_layers; ++i) {
    std::string layer = fmt::format("{}layers.{}.", prefix, i);
    nn::LayerNorm first = loader.norm(layer + "self_attn_layer_norm");
    nn::LayerNorm second = loader.norm(layer + "final_layer_norm");
    if (is_pre_norm) {
      decoder.pre_norm.push_back({.norm1 = first,
                                  .attention = loader.attention(layer),
                                  .norm2 = second,
                                  .mlp = loader.mlp(layer)});
    } else {
      decoder.post_norm.push_back({.attention = loader.attention(layer),
                                   .attention_norm = first,
                                   .cross = {},
                                   .cross_norm = {},
                                   .mlp = loader.mlp(layer),
                                   .mlp_norm = second});
    }
  }
  if (is_pre_norm && !config.boolean("_remove_final_layer_norm", false))
    decoder.final_norm = loader.norm(prefix + "final_layer_norm");
  decoder.head = nn::language_head(weights, head, decoder.tokens);
  return decoder;
}

}  // namespace snellen::models::opt
