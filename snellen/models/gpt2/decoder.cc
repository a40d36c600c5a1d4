// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/gpt2/decoder.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/models/nn/convert.h"

namespace snellen::models::gpt2 {
namespace {

nn::Linear conv1d(nn::Weights& weights, const std::string& name, int64_t out, int64_t in) {
  return {.weight = weights.take(name + ".weight", {in, out}).t().contiguous(),
          .bias = weights.take(name + ".bias", {out})};
}

std::vector<nn::PreNormBlock> load_blocks(nn::Weights& weights,
                                          const ConfigView& config,
                                          int64_t width,
                                          double eps) {
  std::vector<nn::PreNormBlock> blocks;
  int64_t heads = config.heads("n_head", 12, width);
  int64_t mlp_width = config.positive("n_inner", 4 * width);
  nn::Activation activation = nn::activation_of(config.text("activation_function", "gelu_new"));
  bool is_scaled = config.boolean("scale_attn_weights", true);
  bool by_layer = config.boolean("scale_attn_by_inverse_layer_idx", false);
  int64_t num_layers = config.layers("n_layer", 12);
  for (int64_t i = 0; i < num_layers; ++i) {
    std::string prefix = fmt::format("h.{}.", i);
    nn::PreNormBlock block;
    block.norm1 = weights.layer_norm(prefix + "ln_1", width, eps);
    block.attention = {
        .qkv = conv1d(weights, prefix + "attn.c_attn", 3 * width, width),
        .out = conv1d(weights, prefix + "attn.c_proj", width, width),
        .num_heads = heads,
        .scale = (is_scaled ? 1 / std::sqrt(static_cast<double>(width) / static_cast<double>(heads))
                            : 1.0) /
                 (by_layer ? static_cast<double>(i + 1) : 1.0)};
    block.norm2 = weights.layer_norm(prefix + "ln_2", width, eps);
    block.mlp = {.in = conv1d(weights, prefix + "mlp.c_fc", mlp_width, width),
                 .out = conv1d(weights, prefix + "mlp.c_proj", width, mlp_width),
                 .activation = activation};
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace

at::Tensor Decoder::operator()(const nn::TextBatch& batch, Trace* trace) const {
  at::Tensor x =
      at::embedding(tokens, batch.ids) +
      at::embedding(positions,
                    nn::positions_of(batch.length(), positions.size(0), batch.ids.device()));
  int64_t first = batch.lengths[0];
  if (trace) nn::record(trace, "text.0", x.narrow(0, 0, 1).narrow(1, 0, first));
  x = final_norm(
      nn::run_blocks(blocks, x, {.hidden_keys = {}, .is_causal = true}, trace, "text", first));
  if (trace) nn::record(trace, "logits.0", head.linear(x.select(0, 0).narrow(0, 0, first)));
  return x;
}

Decoder load_decoder(nn::Weights& weights, const ConfigView& config) {
  Decoder decoder;
  int64_t width = config.positive("n_embd", 768);
  decoder.tokens = weights.take("wte.weight", {config.positive("vocab_size", 50257), width});
  decoder.positions = weights.take("wpe.weight", {config.positive("n_positions", 1024), width});
  double eps = config.positive_number("layer_norm_epsilon", 1e-5);
  decoder.blocks = load_blocks(weights, config, width, eps);
  decoder.final_norm = weights.layer_norm("ln_f", width, eps);
  decoder.head = nn::language_head(weights, "lm_head.weight", decoder.tokens);
  return decoder;
}

}  // namespace snellen::models::gpt2
