// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/clip/towers.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/error.h"

#include "snellen/models/nn/block_weights.h"
#include "snellen/models/nn/convert.h"

namespace snellen::models::clip {

const nn::BlockNames kBlockNames = {.norm1 = "layer_norm1",
                                    .q = "self_attn.q_proj",
                                    .k = "self_attn.k_proj",
                                    .v = "self_attn.v_proj",
                                    .qkv = {},
                                    .out = "self_attn.out_proj",
                                    .norm2 = "layer_norm2",
                                    .mlp_in = "mlp.fc1",
                                    .mlp_out = "mlp.fc2"};

int64_t Pooling::position(std::span<const int32_t> ids) const {
  if (takes_largest_id) return std::max_element(ids.begin(), ids.end()) - ids.begin();
  const auto at = std::find(ids.begin(), ids.end(), eos_id);
  if (at == ids.end()) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("the tokenizer ends no text with token {}, which config.json names as "
                            "eos_token_id: all texts would look alike to this model",
                            eos_id),
                "tokenizer",
                "take the tokenizer files that were published with these weights"};
  }
  return at - ids.begin();
}

at::Tensor Pooling::positions(const nn::TextBatch& batch, std::span<const TokenIds> texts) const {
  std::vector<int64_t> chosen;
  chosen.reserve(batch.places.size());
  for (size_t place : batch.places) chosen.push_back(position(texts[place]));
  return at::tensor(chosen, at::kLong);
}

at::Tensor TextTower::operator()(const nn::TextBatch& batch,
                                 std::span<const TokenIds> texts,
                                 Trace* trace) const {
  return at_positions(
      batch.ids, pooling.positions(batch, texts).to(batch.ids.device()), trace, batch.lengths[0]);
}

at::Tensor TextTower::at_positions(const at::Tensor& ids,
                                   const at::Tensor& chosen,
                                   Trace* trace,
                                   int64_t traced_length) const {
  at::Tensor positions = nn::positions_of(ids.size(1), max_tokens(), ids.device());
  at::Tensor x = at::embedding(token_embedding, ids) + at::embedding(position_embedding, positions);
  if (trace) nn::record(trace, "text.0", x.narrow(0, 0, 1).narrow(1, 0, traced_length));
  // Causal: padding at the end is never seen by what comes before it.
  return projection(final_norm(nn::run_blocks_pooled(
      blocks, x, {.hidden_keys = {}, .is_causal = true}, chosen, trace, "text", traced_length)));
}

at::Tensor VisionTower::operator()(const at::Tensor& pixels,
                                   Trace* trace,
                                   bool traces_after_norm) const {
  return projection(post_norm(transformer.pooled(pixels, trace, traces_after_norm)));
}

Matrix embed_texts(const TextTower& tower,
                   std::span<const TokenIds> texts,
                   const at::TensorOptions& options,
                   Trace* trace) {
  nn::TextBatchOptions batching = nn::batching_of(tower.vocabulary(), tower.max_tokens(), options);
  return nn::rows_by_text(texts, batching, trace, [&](const nn::TextBatch& batch, Trace* shown) {
    return tower(batch, texts, shown);
  });
}

TextTower load_text_tower(nn::Weights& weights,
                          const ConfigView& config,
                          int64_t projection_width,
                          int64_t default_eos) {
  TextTower tower;
  int64_t width = config.positive("hidden_size", 512);
  double eps = config.positive_number("layer_norm_eps", 1e-5);
  nn::BlockShape shape = {.width = width,
                          .mlp_width = config.positive("intermediate_size", 2048),
                          .num_heads = config.heads("num_attention_heads", 8, width),
                          .eps = eps,
                          .activation = nn::activation_of(config.text("hidden_act", "quick_gelu"))};
  tower.token_embedding = weights.take("text_model.embeddings.token_embedding.weight",
                                       {config.positive("vocab_size", 49408), width});
  tower.position_embedding = weights.take("text_model.embeddings.position_embedding.weight",
                                          {config.positive("max_position_embeddings", 77), width});
  tower.blocks = nn::pre_norm_blocks(weights,
                                     "text_model.encoder.layers.",
                                     config.layers("num_hidden_layers", 12),
                                     kBlockNames,
                                     shape);
  tower.final_norm = weights.layer_norm("text_model.final_layer_norm", width, eps);
  tower.projection = weights.linear("text_projection", projection_width, width, /*has_bias=*/false);
  int64_t eos = config.integer("eos_token_id", default_eos);
  tower.pooling = {.takes_largest_id = eos == 2, .eos_id = eos};
  return tower;
}

VisionTower load_vision_tower(nn::Weights& weights,
                              const ConfigView& config,
                              int64_t projection_width) {
  VisionTower vision;
  int64_t width = config.positive("hidden_size", 768);
  int64_t patch = config.positive("patch_size", 32);
  int64_t size = config.positive("image_size", 224);
  double eps = config.positive_number("layer_norm_eps", 1e-5);
  nn::BlockShape shape = {.width = width,
                          .mlp_width = config.positive("intermediate_size", 3072),
                          .num_heads = config.heads("num_attention_heads", 12, width),
                          .eps = eps,
                          .activation = nn::activation_of(config.text("hidden_act", "quick_gelu"))};
  nn::VisionTransformer& tower = vision.transformer;
  tower.image_size = size;
  tower.patches = weights.patch_embedding(
      "vision_model.embeddings.patch_embedding", width, patch, /*has_bias=*/false);
  tower.class_token = weights.take("vision_model.embeddings.class_embedding", {width});
  int64_t grid = size / patch;
  tower.positions =
      weights.take("vision_model.embeddings.position_embedding.weight", {grid * grid + 1, width});
  tower.pre_norm = weights.layer_norm("vision_model.pre_layrnorm", width, eps);
  tower.blocks = nn::pre_norm_blocks(weights,
                                     "vision_model.encoder.layers.",
                                     config.layers("num_hidden_layers", 12),
                                     kBlockNames,
                                     shape);
  vision.post_norm = weights.layer_norm("vision_model.post_layernorm", width, eps);
  vision.projection =
      weights.linear("visual_projection", projection_width, width, /*has_bias=*/false);
  return vision;
}

}  // namespace snellen::models::clip
