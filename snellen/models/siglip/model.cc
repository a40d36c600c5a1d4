// SPDX-License-Identifier: Apache-2.0
// SigLIP (Zhai et al. 2023; docs/spec/models.md 3.3): no class token and no mask; the picture is
// pooled by one query, the text is its last position, padding included, so every text is padded to
// full length.
#include <cmath>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/clip/towers.h"
#include "snellen/models/nn/block_weights.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"

namespace snellen::models {
namespace {

// y = attention of one learnt query over all tokens; y + mlp(norm y).
struct PoolingHead {
  at::Tensor probe;  // [1, 1, width]
  nn::CrossAttention attention;
  nn::LayerNorm norm;
  nn::Mlp mlp;

  at::Tensor operator()(const at::Tensor& tokens) const {
    at::Tensor query = probe.expand({tokens.size(0), 1, probe.size(2)});
    at::Tensor y = attention(query, attention.remember(tokens));
    return (y + mlp(norm(y))).select(1, 0);
  }
};

struct Sizes {
  int64_t width;
  nn::BlockShape shape;
  int64_t num_layers;
};

Sizes sizes_of(const ConfigView& config) {
  int64_t width = config.positive("hidden_size", 768);
  return {
      .width = width,
      .shape = {.width = width,
                .mlp_width = config.positive("intermediate_size", 3072),
                .num_heads = config.heads("num_attention_heads", 12, width),
                .eps = config.positive_number("layer_norm_eps", 1e-6),
                .activation = nn::activation_of(config.text("hidden_act", "gelu_pytorch_tanh"))},
      .num_layers = config.layers("num_hidden_layers", 12)};
}

class SiglipNetwork : public nn::NetworkBase, public DualEncoder {
 public:
  SiglipNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
    load_vision(weights, checkpoint.config().sub("vision_config"));
    load_text(weights, checkpoint.config().sub("text_config"));
    scale_ = std::exp(weights.take_number("logit_scale"));
    bias_ = weights.take_number("logit_bias");
    settle(weights,
           {.family = "siglip",
            .heads = {"itc"},
            .max_text_tokens = positions_.size(0),
            .image_size = vision_.image_size,
            .stamp = {{"activation", std::string(nn::name_of(text_blocks_[0].mlp.activation))},
                      {"eps", fmt::format("{}", text_norm_.eps)},
                      {"pooling", "attention over patches; last text position"},
                      {"scale", fmt::format("{}", scale_)},
                      {"bias", fmt::format("{}", bias_)}}});
  }

  const DualEncoder* dual() const override { return this; }

  Matrix embed_images(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    return nn::to_matrix(run_tower(pixels, trace, [&](const at::Tensor& input) {
      return head_(vision_norm_(vision_(input, trace)));
    }));
  }

  Matrix embed_texts(std::span<const TokenIds> texts, Trace* trace) const override {
    c10::InferenceMode guard;
    nn::TextBatchOptions batching = nn::batching_of(tokens_.size(0), positions_.size(0), options());
    batching.pad_id = pad_id_;
    batching.fixed_length = positions_.size(0);
    return nn::rows_by_text(texts, batching, trace, [&](const nn::TextBatch& batch, Trace* shown) {
      at::Tensor x = at::embedding(tokens_, batch.ids) + positions_;
      if (shown) nn::record(shown, "text.0", x.narrow(0, 0, 1));
      x = nn::run_blocks(text_blocks_, x, {}, shown, "text");
      return text_head_(text_norm_(x.select(1, -1)));
    });
  }

  Similarity similarity(std::string_view) const override {
    return {.scale = scale_, .bias = bias_};
  }

 private:
  void load_vision(nn::Weights& weights, const ConfigView& config) {
    Sizes sizes = sizes_of(config);
    int64_t patch = config.positive("patch_size", 16);
    vision_.image_size = config.positive("image_size", 224);
    vision_.patches = weights.patch_embedding(
        "vision_model.embeddings.patch_embedding", sizes.width, patch, /*has_bias=*/true);
    int64_t grid = vision_.image_size / patch;
    vision_.positions = weights.take("vision_model.embeddings.position_embedding.weight",
                                     {grid * grid, sizes.width});
    vision_.blocks = nn::pre_norm_blocks(
        weights, "vision_model.encoder.layers.", sizes.num_layers, clip::kBlockNames, sizes.shape);
    vision_norm_ = weights.layer_norm("vision_model.post_layernorm", sizes.width, sizes.shape.eps);
    load_head(weights, sizes);
  }

  void load_head(nn::Weights& weights, const Sizes& sizes) {
    const std::string head = "vision_model.head.";
    int64_t width = sizes.width;
    head_.probe = weights.take(head + "probe", {1, 1, width});
    nn::SelfAttention joint =
        nn::multihead_attention(weights, head + "attention", width, sizes.shape.num_heads);
    head_.attention = {.q = nn::Linear{.weight = joint.qkv.weight.narrow(0, 0, width),
                                       .bias = joint.qkv.bias.narrow(0, 0, width)},
                       .kv = nn::Linear{.weight = joint.qkv.weight.narrow(0, width, 2 * width),
                                        .bias = joint.qkv.bias.narrow(0, width, 2 * width)},
                       .out = joint.out,
                       .num_heads = joint.num_heads};
    head_.norm = weights.layer_norm(head + "layernorm", width, sizes.shape.eps);
    head_.mlp = {.in = weights.linear(head + "mlp.fc1", sizes.shape.mlp_width, width),
                 .out = weights.linear(head + "mlp.fc2", width, sizes.shape.mlp_width),
                 .activation = sizes.shape.activation};
  }

  void load_text(nn::Weights& weights, const ConfigView& config) {
    Sizes sizes = sizes_of(config);
    tokens_ = weights.take("text_model.embeddings.token_embedding.weight",
                           {config.positive("vocab_size", 32000), sizes.width});
    positions_ = weights.take("text_model.embeddings.position_embedding.weight",
                              {config.positive("max_position_embeddings", 64), sizes.width});
    text_blocks_ = nn::pre_norm_blocks(
        weights, "text_model.encoder.layers.", sizes.num_layers, clip::kBlockNames, sizes.shape);
    text_norm_ = weights.layer_norm("text_model.final_layer_norm", sizes.width, sizes.shape.eps);
    text_head_ = weights.linear(
        "text_model.head", config.positive("projection_size", sizes.width), sizes.width);
    pad_id_ = config.integer("pad_token_id", 1);
    if (pad_id_ < 0 || pad_id_ >= tokens_.size(0))
      config.fail("pad_token_id", "is outside the vocabulary");
  }

  nn::VisionTransformer vision_;
  nn::LayerNorm vision_norm_;
  PoolingHead head_;
  at::Tensor tokens_;     // [vocabulary, width]
  at::Tensor positions_;  // [positions, width]
  std::vector<nn::PreNormBlock> text_blocks_;
  nn::LayerNorm text_norm_;
  nn::Linear text_head_;
  int64_t pad_id_ = 1;
  double scale_ = 0;
  double bias_ = 0;
};

}  // namespace

std::unique_ptr<Architecture> make_siglip();
std::unique_ptr<Architecture> make_siglip() {
  return nn::architecture_of<SiglipNetwork>({.family = "siglip",
                                             .summary = "SigLIP, and SigLIP 2 of fixed size",
                                             .model_types = {"siglip"},
                                             .heads = {"itc"},
                                             .paper = "Zhai et al. 2023"});
}

}  // namespace snellen::models
