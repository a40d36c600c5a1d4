// SPDX-License-Identifier: Apache-2.0
// X-CLIP (Ni et al. 2022; spec/models.md 3.6): CLIP over frames that exchange messages, and texts
// adapted to the clip they are compared with.
#include <cmath>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/clip/towers.h"
#include "snellen/models/nn/block_weights.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/x_clip/prompts.h"

namespace snellen::models {
namespace {

struct FrameLayer {
  nn::Linear message;
  nn::LayerNorm message_norm;
  nn::SelfAttention message_attention;
  nn::PreNormBlock block;

  // x [clips * frames, tokens, width].
  at::Tensor operator()(const at::Tensor& x, int64_t num_frames) const {
    at::Tensor messages = message(x.select(1, 0)).view({-1, num_frames, x.size(2)});
    messages = messages + message_attention(message_norm(messages));
    at::Tensor with_message = at::cat({x, messages.reshape({-1, 1, x.size(2)})}, 1);
    at::Tensor y = with_message + block.attention(block.norm1(with_message));
    y = y.narrow(1, 0, x.size(1));
    return y + block.mlp(block.norm2(y));
  }
};

class XClipNetwork : public nn::NetworkBase, public VideoEncoder {
 public:
  XClipNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
    ConfigView config = checkpoint.config();
    width_ = config.positive("projection_dim", 512);
    ConfigView vision = config.sub_with_twin("vision_config");
    ConfigView text = config.sub_with_twin("text_config");
    load_vision(weights, vision);
    load_integration(weights, vision);
    text_ = clip::load_text_tower(weights, text, width_, /*default_eos=*/2);
    prompts_ = x_clip::load_prompts(weights,
                                    config,
                                    {.width = width_,
                                     .vision_width = vision_.positions.size(1),
                                     .generator_eps = post_norm_.eps,
                                     .layer_eps = text_.final_norm.eps});
    scale_ = std::exp(weights.take_number("logit_scale"));
    settle(weights,
           {.family = "x_clip",
            .heads = {"itc"},
            .max_text_tokens = text_.max_tokens(),
            .image_size = vision_.image_size,
            .stamp = {{"frames", fmt::format("{}", num_frames_)},
                      {"activation", std::string(nn::name_of(layers_[0].block.mlp.activation))},
                      {"eps", fmt::format("{}", post_norm_.eps)},
                      {"scale", fmt::format("{}", scale_)}}});
  }

  const VideoEncoder* video() const override { return this; }
  int64_t num_frames() const override { return num_frames_; }

  Matrix embed_clips(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    if (pixels.count % num_frames_ != 0) {
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format("{} frames are no whole number of clips of {}", pixels.count, num_frames_)};
    }
    at::Tensor x = vision_.embed(pixels_of(pixels));
    show(trace, 0, x);
    x = (*vision_.pre_norm)(x);
    for (size_t i = 0; i < layers_.size(); ++i) {
      x = layers_[i](x, num_frames_);
      show(trace, i + 1, x);
    }
    at::Tensor frames = projection_(post_norm_(x.select(1, 0))).view({-1, num_frames_, width_});
    at::Tensor mixed =
        nn::run_blocks(integration_, frames + integration_positions_, {}, trace, "mit");
    at::Tensor video = (mixed + frames).mean(1);
    nn::record(trace, "video_embeds", video);
    at::Tensor patches = x.narrow(1, 1, x.size(1) - 1);
    at::Tensor context =
        prompts_.context(patches).view({-1, num_frames_, patches.size(1), width_}).mean(1);
    return nn::to_matrix(at::cat({video.unsqueeze(1), context}, 1));
  }

  Matrix embed_texts(std::span<const TokenIds> texts, Trace* trace) const override {
    c10::InferenceMode guard;
    return clip::embed_texts(text_, texts, options(), trace);
  }

  Matrix score(const Matrix& clips, const Matrix& texts, Trace* trace) const override {
    c10::InferenceMode guard;
    at::Tensor rows =
        nn::to_tensor(clips, options()).view({static_cast<int64_t>(clips.num_rows), -1, width_});
    at::Tensor plain = nn::to_tensor(texts, options());
    std::vector<at::Tensor> scores, prompted;
    for (int64_t i = 0; i < rows.size(0); ++i) {
      at::Tensor adapted =
          nn::l2_normalized(prompts_(plain, rows[i].narrow(0, 1, rows.size(1) - 1)).to(at::kFloat));
      at::Tensor video = nn::l2_normalized(rows[i].narrow(0, 0, 1).to(at::kFloat));
      scores.push_back(nn::tiled_product(video, adapted) * scale_);
      if (trace) prompted.push_back(adapted);
    }
    if (trace) nn::record(trace, "prompted_text_embeds", at::stack(prompted));
    return nn::to_matrix(at::cat(scores));
  }

 private:
  // All frames of the first clip.
  void show(Trace* trace, size_t layer, const at::Tensor& x) const {
    if (trace) nn::record(trace, "vision", layer, x.narrow(0, 0, num_frames_));
  }

  void load_vision(nn::Weights& weights, const ConfigView& config) {
    int64_t width = config.positive("hidden_size", 768);
    int64_t patch = config.positive("patch_size", 32);
    double eps = config.positive_number("layer_norm_eps", 1e-5);
    num_frames_ = config.positive("num_frames", 8);
    nn::BlockShape shape = {
        .width = width,
        .mlp_width = config.positive("intermediate_size", 3072),
        .num_heads = config.heads("num_attention_heads", 12, width),
        .eps = eps,
        .activation = nn::activation_of(config.text("hidden_act", "quick_gelu"))};
    vision_.image_size = config.positive("image_size", 224);
    int64_t grid = vision_.image_size / patch;
    const std::string prefix = "vision_model.";
    vision_.patches = weights.patch_embedding(
        prefix + "embeddings.patch_embedding", width, patch, /*has_bias=*/false);
    vision_.class_token = weights.take(prefix + "embeddings.class_embedding", {width});
    vision_.positions =
        weights.take(prefix + "embeddings.position_embedding.weight", {grid * grid + 1, width});
    vision_.pre_norm = weights.layer_norm(prefix + "pre_layernorm", width, eps);
    int64_t num_layers = config.layers("num_hidden_layers", 12);
    for (int64_t i = 0; i < num_layers; ++i) {
      std::string layer = fmt::format("{}encoder.layers.{}.", prefix, i);
      std::string attention = layer + "message_attn.";
      layers_.push_back(
          {.message = weights.linear(layer + "message_fc", width, width),
           .message_norm = weights.layer_norm(layer + "message_ln", width, eps),
           .message_attention = {.qkv = weights.merged({attention + "q_proj",
                                                        attention + "k_proj",
                                                        attention + "v_proj"},
                                                       width,
                                                       width),
                                 .out = weights.linear(attention + "out_proj", width, width),
                                 .num_heads = shape.num_heads},
           .block = nn::pre_norm_block(weights, layer, clip::kBlockNames, shape)});
    }
    post_norm_ = weights.layer_norm(prefix + "post_layernorm", width, eps);
    projection_ = weights.linear("visual_projection", width_, width, /*has_bias=*/false);
  }

  // The transformer over frame embeddings, with the activation and eps of the vision tower.
  void load_integration(nn::Weights& weights, const ConfigView& config) {
    int64_t width = config.positive("mit_hidden_size", 512);
    if (width != width_)
      config.fail("mit_hidden_size", fmt::format("is {}, the projection is {}", width, width_));
    nn::BlockShape shape = {.width = width,
                            .mlp_width = config.positive("mit_intermediate_size", 2048),
                            .num_heads = config.heads("mit_num_attention_heads", 8, width),
                            .eps = post_norm_.eps,
                            .activation = layers_[0].block.mlp.activation};
    integration_positions_ = weights.take("mit.position_embedding", {1, num_frames_, width});
    integration_ = nn::pre_norm_blocks(weights,
                                       "mit.encoder.layers.",
                                       config.layers("mit_num_hidden_layers", 1),
                                       clip::kBlockNames,
                                       shape);
  }

  int64_t width_ = 0;  // of embeddings
  int64_t num_frames_ = 0;
  nn::VisionTransformer vision_;  // its own blocks are empty: frames have layers of another kind
  std::vector<FrameLayer> layers_;
  nn::LayerNorm post_norm_;
  nn::Linear projection_;
  at::Tensor integration_positions_;
  std::vector<nn::PreNormBlock> integration_;
  clip::TextTower text_;
  x_clip::PromptGenerator prompts_;
  double scale_ = 0;
};

}  // namespace

std::unique_ptr<Architecture> make_x_clip();
std::unique_ptr<Architecture> make_x_clip() {
  return nn::architecture_of<XClipNetwork>({.family = "x_clip",
                                            .summary = "X-CLIP: clips of a fixed number of frames",
                                            .model_types = {"xclip"},
                                            .heads = {"itc"},
                                            .paper = "Ni et al. 2022"});
}

}  // namespace snellen::models
