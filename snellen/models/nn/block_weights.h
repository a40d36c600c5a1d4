// SPDX-License-Identifier: Apache-2.0
// Transformer layers from the names under which the families store them.
#pragma once

#include <string>
#include <vector>

#include "snellen/models/nn/blocks.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::nn {

// The names inside one transformer layer, as a family writes them.
struct BlockNames {
  std::string norm1;
  std::string q, k, v;  // or
  std::string qkv;      // one product for the three
  std::string out;
  std::string norm2;
  std::string mlp_in;
  std::string mlp_out;
};

struct BlockShape {
  int64_t width = 0;
  int64_t mlp_width = 0;
  int64_t num_heads = 1;
  double eps = 1e-5;
  Activation activation = Activation::kGelu;
  bool has_qkv_bias = true;
};

// `prefix` ends with a dot: "vision_model.encoder.layers.3.".
PreNormBlock pre_norm_block(Weights& weights,
                            const std::string& prefix,
                            const BlockNames& names,
                            const BlockShape& shape);
std::vector<PreNormBlock> pre_norm_blocks(Weights& weights,
                                          const std::string& layers_prefix,
                                          int64_t num_layers,
                                          const BlockNames& names,
                                          const BlockShape& shape);

// The names inside a layer of Hugging Face's ViT, kept by FLAVA and ViLT.
extern const BlockNames kVitBlockNames;

// torch.nn.MultiheadAttention: name.in_proj_weight, name.in_proj_bias, name.out_proj.
SelfAttention multihead_attention(Weights& weights,
                                  const std::string& name,
                                  int64_t width,
                                  int64_t num_heads);

// Layers of OpenAI's CLIP, kept by open_clip and by BridgeTower's vision: ln_1, attn, ln_2,
// mlp.c_fc, mlp.c_proj below "<layers_prefix>K.".
std::vector<PreNormBlock> residual_attention_blocks(Weights& weights,
                                                    const std::string& layers_prefix,
                                                    int64_t num_layers,
                                                    const BlockShape& shape);

}  // namespace snellen::models::nn
