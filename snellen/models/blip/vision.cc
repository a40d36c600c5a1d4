// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/blip/vision.h"

#include "snellen/models/nn/block_weights.h"

namespace snellen::models::blip {

VisionTower load_vision(nn::Weights& weights,
                        const ConfigView& config,
                        const VisionDefaults& defaults) {
  VisionTower tower;
  int64_t width = config.positive("hidden_size", defaults.width);
  int64_t patch = config.positive("patch_size", defaults.patch);
  int64_t size = config.positive("image_size", defaults.image_size);
  double eps = config.positive_number("layer_norm_eps", defaults.eps);
  nn::BlockShape shape = {
      .width = width,
      .mlp_width = config.positive("intermediate_size", defaults.mlp_width),
      .num_heads = config.heads("num_attention_heads", defaults.num_heads, width),
      .eps = eps,
      .activation = nn::activation_of(config.text("hidden_act", "gelu")),
      .has_qkv_bias = config.boolean("qkv_bias", true)};
  nn::BlockNames names = {.norm1 = "layer_norm1",
                          .q = {},
                          .k = {},
                          .v = {},
                          .qkv = "self_attn.qkv",
                          .out = "self_attn.projection",
                          .norm2 = "layer_norm2",
                          .mlp_in = "mlp.fc1",
                          .mlp_out = "mlp.fc2"};
  const std::string embeddings = "vision_model.embeddings.";
  int64_t grid = size / patch;
  tower.transformer.image_size = size;
  tower.transformer.patches =
      weights.patch_embedding(embeddings + "patch_embedding", width, patch, /*has_bias=*/true);
  tower.transformer.class_token =
      weights.take(embeddings + "class_embedding", {1, 1, width}).view({width});
  tower.transformer.positions =
      weights.take(embeddings + "position_embedding", {1, grid * grid + 1, width}).squeeze(0);
  tower.transformer.blocks =
      nn::pre_norm_blocks(weights,
                          "vision_model.encoder.layers.",
                          config.layers("num_hidden_layers", defaults.num_layers),
                          names,
                          shape);
  tower.post_norm = weights.layer_norm("vision_model.post_layernorm", width, eps);
  return tower;
}

}  // namespace snellen::models::blip
