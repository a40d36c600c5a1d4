// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/x_clip/layers.h"

#include <fmt/format.h>

#include "snellen/models/nn/convert.h"

namespace snellen::models::x_clip {

at::Tensor FrameLayer::operator()(const at::Tensor& x, int64_t num_frames) const {
  at::Tensor messages = message(x.select(1, 0)).view({-1, num_frames, x.size(2)});
  messages = messages + message_attention(message_norm(messages));
  at::Tensor with_message = at::cat({x, messages.reshape({-1, 1, x.size(2)})}, 1);
  at::Tensor y = with_message + block.attention(block.norm1(with_message));
  y = y.narrow(1, 0, x.size(1));
  return y + block.mlp(block.norm2(y));
}

at::Tensor Layers::embed_clips(const at::Tensor& pixels, Trace* trace) const {
  auto show = [&](size_t layer, const at::Tensor& x) {
    // All frames of the first clip.
    if (trace) nn::record(trace, "vision", layer, x.narrow(0, 0, num_frames));
  };
  at::Tensor x = vision.embed(pixels);
  show(0, x);
  x = (*vision.pre_norm)(x);
  for (size_t i = 0; i < layers.size(); ++i) {
    x = layers[i](x, num_frames);
    show(i + 1, x);
  }
  at::Tensor frames = projection(post_norm(x.select(1, 0))).view({-1, num_frames, width});
  at::Tensor mixed = nn::run_blocks(integration, frames + integration_positions, {}, trace, "mit");
  at::Tensor video = (mixed + frames).mean(1);
  nn::record(trace, "video_embeds", video);
  at::Tensor patches = x.narrow(1, 1, x.size(1) - 1);
  at::Tensor context =
      prompts.context(patches).view({-1, num_frames, patches.size(1), width}).mean(1);
  return at::cat({video.unsqueeze(1), context}, 1);
}

namespace {

void load_frames(Layers& model, nn::Weights& weights, const ConfigView& config) {
  int64_t width = config.positive("hidden_size", 768);
  int64_t patch = config.positive("patch_size", 32);
  double eps = config.positive_number("layer_norm_eps", 1e-5);
  model.num_frames = config.positive("num_frames", 8);
  nn::BlockShape shape = {.width = width,
                          .mlp_width = config.positive("intermediate_size", 3072),
                          .num_heads = config.heads("num_attention_heads", 12, width),
                          .eps = eps,
                          .activation = nn::activation_of(config.text("hidden_act", "quick_gelu"))};
  model.vision.image_size = config.positive("image_size", 224);
  int64_t grid = model.vision.image_size / patch;
  const std::string prefix = "vision_model.";
  model.vision.patches = weights.patch_embedding(
      prefix + "embeddings.patch_embedding", width, patch, /*has_bias=*/false);
  model.vision.class_token = weights.take(prefix + "embeddings.class_embedding", {width});
  model.vision.positions =
      weights.take(prefix + "embeddings.position_embedding.weight", {grid * grid + 1, width});
  model.vision.pre_norm = weights.layer_norm(prefix + "pre_layernorm", width, eps);
  int64_t num_layers = config.layers("num_hidden_layers", 12);
  for (int64_t i = 0; i < num_layers; ++i) {
    std::string layer = fmt::format("{}encoder.layers.{}.", prefix, i);
    std::string attention = layer + "message_attn.";
    model.layers.push_back(
        {.message = weights.linear(layer + "message_fc", width, width),
         .message_norm = weights.layer_norm(layer + "message_ln", width, eps),
         .message_attention =
             {.qkv = weights.merged(
                  {attention + "q_proj", attention + "k_proj", attention + "v_proj"}, width, width),
              .out = weights.linear(attention + "out_proj", width, width),
              .num_heads = shape.num_heads},
         .block = nn::pre_norm_block(weights, layer, clip::kBlockNames, shape)});
  }
  model.post_norm = weights.layer_norm(prefix + "post_layernorm", width, eps);
  model.projection = weights.linear("visual_projection", model.width, width, /*has_bias=*/false);
}

// The transformer over frame embeddings, with the activation and eps of the vision tower.
void load_integration(Layers& model, nn::Weights& weights, const ConfigView& config) {
  int64_t width = config.positive("mit_hidden_size", 512);
  if (width != model.width)
    config.fail("mit_hidden_size", fmt::format("is {}, the projection is {}", width, model.width));
  nn::BlockShape shape = {.width = width,
                          .mlp_width = config.positive("mit_intermediate_size", 2048),
                          .num_heads = config.heads("mit_num_attention_heads", 8, width),
                          .eps = model.post_norm.eps,
                          .activation = model.layers[0].block.mlp.activation};
  model.integration_positions =
      weights.take("mit.position_embedding", {1, model.num_frames, width});
  model.integration = nn::pre_norm_blocks(weights,
                                          "mit.encoder.layers.",
                                          config.layers("mit_num_hidden_layers", 1),
                                          clip::kBlockNames,
                                          shape);
}

}  // namespace

Layers load_layers(nn::Weights& weights, const ConfigView& config) {
  Layers model;
  model.width = config.positive("projection_dim", 512);
  ConfigView vision = config.sub_with_twin("vision_config");
  load_frames(model, weights, vision);
  load_integration(model, weights, vision);
  model.text = clip::load_text_tower(
      weights, config.sub_with_twin("text_config"), model.width, /*default_eos=*/2);
  model.prompts = load_prompts(weights,
                               config,
                               {.width = model.width,
                                .vision_width = model.vision.positions.size(1),
                                .generator_eps = model.post_norm.eps,
                                .layer_eps = model.text.final_norm.eps});
  return model;
}

}  // namespace snellen::models::x_clip
