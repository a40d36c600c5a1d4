// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/block_weights.h"

#include <fmt/format.h>

namespace snellen::models::nn {

const BlockNames kVitBlockNames = {.norm1 = "layernorm_before",
                                   .q = "attention.attention.query",
                                   .k = "attention.attention.key",
                                   .v = "attention.attention.value",
                                   .qkv = {},
                                   .out = "attention.output.dense",
                                   .norm2 = "layernorm_after",
                                   .mlp_in = "intermediate.dense",
                                   .mlp_out = "output.dense"};

PreNormBlock pre_norm_block(Weights& weights,
                            const std::string& prefix,
                            const BlockNames& names,
                            const BlockShape& shape) {
  PreNormBlock block;
  int64_t width = shape.width;
  block.norm1 = weights.layer_norm(prefix + names.norm1, width, shape.eps);
  block.attention.qkv =
      names.qkv.empty() ? weights.merged({prefix + names.q, prefix + names.k, prefix + names.v},
                                         width,
                                         width,
                                         shape.has_qkv_bias)
                        : weights.linear(prefix + names.qkv, 3 * width, width, shape.has_qkv_bias);
  block.attention.out = weights.linear(prefix + names.out, width, width);
  block.attention.num_heads = shape.num_heads;
  block.norm2 = weights.layer_norm(prefix + names.norm2, width, shape.eps);
  block.mlp = {.in = weights.linear(prefix + names.mlp_in, shape.mlp_width, width),
               .out = weights.linear(prefix + names.mlp_out, width, shape.mlp_width),
               .activation = shape.activation};
  return block;
}

std::vector<PreNormBlock> pre_norm_blocks(Weights& weights,
                                          const std::string& layers_prefix,
                                          int64_t num_layers,
                                          const BlockNames& names,
                                          const BlockShape& shape) {
  std::vector<PreNormBlock> blocks;
  for (int64_t i = 0; i < num_layers; ++i)
    blocks.push_back(pre_norm_block(weights, fmt::format("{}{}.", layers_prefix, i), names, shape));
  return blocks;
}

SelfAttention multihead_attention(Weights& weights,
                                  const std::string& name,
                                  int64_t width,
                                  int64_t num_heads) {
  SelfAttention attention;
  attention.qkv = {.weight = weights.take(name + ".in_proj_weight", {3 * width, width}),
                   .bias = weights.take(name + ".in_proj_bias", {3 * width})};
  attention.out = weights.linear(name + ".out_proj", width, width);
  attention.num_heads = num_heads;
  return attention;
}

std::vector<PreNormBlock> residual_attention_blocks(Weights& weights,
                                                    const std::string& layers_prefix,
                                                    int64_t num_layers,
                                                    const BlockShape& shape) {
  std::vector<PreNormBlock> blocks;
  int64_t width = shape.width, mlp_width = shape.mlp_width;
  for (int64_t i = 0; i < num_layers; ++i) {
    std::string layer = fmt::format("{}{}.", layers_prefix, i);
    blocks.push_back(
        {.norm1 = weights.layer_norm(layer + "ln_1", width, shape.eps),
         .attention = multihead_attention(weights, layer + "attn", width, shape.num_heads),
         .norm2 = weights.layer_norm(layer + "ln_2", width, shape.eps),
         .mlp = {.in = weights.linear(layer + "mlp.c_fc", mlp_width, width),
                 .out = weights.linear(layer + "mlp.c_proj", width, mlp_width),
                 .activation = shape.activation}});
  }
  return blocks;
}

}  // namespace snellen::models::nn
