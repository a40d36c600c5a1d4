// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/x_clip/prompts.h"

#include <algorithm>

#include <fmt/format.h>

namespace snellen::models::x_clip {
namespace {

constexpr int64_t kTexts = 64;

}  // namespace

at::Tensor PromptGenerator::adaptation(const at::Tensor& texts, const at::Tensor& contexts) const {
  at::Tensor seen = context_norm(contexts), c = texts;
  for (const PromptLayer& layer : layers) {
    c = c + layer.cross(layer.norm1(c), layer.cross.remember(seen));
    c = c + layer.mlp(layer.norm3(c));
  }
  return alpha * c;
}

at::Tensor PromptGenerator::operator()(const at::Tensor& texts, const at::Tensor& context) const {
  at::Tensor one = context.unsqueeze(0);
  std::vector<at::Tensor> parts;
  for (int64_t begin = 0; begin < texts.size(0); begin += kTexts) {
    int64_t count = std::min(kTexts, texts.size(0) - begin);
    at::Tensor plain = texts.narrow(0, begin, count);
    at::Tensor padded = at::constant_pad_nd(plain, {0, 0, 0, kTexts - count}).unsqueeze(0);
    parts.push_back(plain + adaptation(padded, one)[0].narrow(0, 0, count));
  }
  return at::cat(parts);
}

PromptGenerator load_prompts(nn::Weights& weights,
                             const ConfigView& config,
                             const PromptShape& shape) {
  PromptGenerator prompts;
  int64_t width = shape.width;
  int64_t num_heads = config.heads("prompt_num_attention_heads", 8, width);
  nn::Activation activation = nn::activation_of(config.text("prompt_hidden_act", "quick_gelu"));
  prompts.patch_norm =
      weights.layer_norm("prompts_visual_layernorm", shape.vision_width, shape.generator_eps);
  // x @ P, stored [in, out].
  prompts.patch_projection.weight =
      weights.take("prompts_visual_projection", {shape.vision_width, width}).t().contiguous();
  prompts.context_norm =
      weights.layer_norm("prompts_generator.layernorm", width, shape.generator_eps);
  int64_t num_layers = config.layers("prompt_layers", 2);
  for (int64_t i = 0; i < num_layers; ++i) {
    std::string prefix = fmt::format("prompts_generator.decoder.{}.", i);
    std::string cross = prefix + "cross_attn.";
    prompts.layers.push_back(
        {.norm1 = weights.layer_norm(prefix + "norm1", width, shape.layer_eps),
         // Named: GCC 12 destroys a nested {} twice when a later member throws.
         .cross = nn::CrossAttention{.q = weights.linear(
                                         cross + "q_proj", width, width, /*has_bias=*/false),
                                     .kv = weights.merged({cross + "k_proj", cross + "v_proj"},
                                                          width,
                                                          width,
                                                          /*has_bias=*/false),
                                     .out = weights.linear(cross + "proj", width, width),
                                     .num_heads = num_heads},
         .norm3 = weights.layer_norm(prefix + "norm3", width, shape.layer_eps),
         .mlp = {.in = weights.linear(prefix + "mlp.0", 4 * width, width),
                 .out = weights.linear(prefix + "mlp.3", width, 4 * width),
                 .activation = activation}});
  }
  prompts.alpha = weights.take("prompts_generator.alpha", {width});
  return prompts;
}

}  // namespace snellen::models::x_clip
