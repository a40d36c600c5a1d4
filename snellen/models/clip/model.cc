// SPDX-License-Identifier: Apache-2.0
// CLIP in Hugging Face's layout, MetaCLIP included.
#include <cmath>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/clip/towers.h"
#include "snellen/models/nn/block_weights.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"

namespace snellen::models {
namespace {

class ClipNetwork : public nn::NetworkBase, public DualEncoder {
 public:
  ClipNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
    ConfigView config = checkpoint.config();
    int64_t width = config.positive("projection_dim", 512);
    load_vision(weights, config.sub_with_twin("vision_config"), width);
    text_ = clip::load_text_tower(
        weights, config.sub_with_twin("text_config"), width, /*default_eos=*/49407);
    scale_ = std::exp(weights.take_number("logit_scale"));
    settle(weights,
           {.family = "clip",
            .heads = {"itc"},
            .max_text_tokens = text_.max_tokens(),
            .image_size = vision_.transformer.image_size,
            .stamp = {
                {"activation", std::string(nn::name_of(text_.blocks[0].mlp.activation))},
                {"eps", fmt::format("{}", text_.final_norm.eps)},
                {"pooling",
                 text_.pooling.takes_largest_id ? "largest id"
                                                : fmt::format("first id {}", text_.pooling.eos_id)},
                {"scale", fmt::format("{}", scale_)}}});
  }

  const DualEncoder* dual() const override { return this; }

  Matrix embed_images(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    return nn::to_matrix(vision_(pixels_of(pixels), trace, /*traces_after_norm=*/false));
  }
  Matrix embed_texts(std::span<const TokenIds> texts, Trace* trace) const override {
    c10::InferenceMode guard;
    return clip::embed_texts(text_, texts, options(), trace);
  }
  Similarity similarity(std::string_view) const override { return {.scale = scale_}; }

 private:
  void load_vision(nn::Weights& weights, const ConfigView& config, int64_t projection_width) {
    int64_t width = config.positive("hidden_size", 768);
    int64_t patch = config.positive("patch_size", 32);
    int64_t size = config.positive("image_size", 224);
    double eps = config.positive_number("layer_norm_eps", 1e-5);
    nn::BlockShape shape = {
        .width = width,
        .mlp_width = config.positive("intermediate_size", 3072),
        .num_heads = config.heads("num_attention_heads", 12, width),
        .eps = eps,
        .activation = nn::activation_of(config.text("hidden_act", "quick_gelu"))};
    nn::VisionTransformer& tower = vision_.transformer;
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
                                       clip::kBlockNames,
                                       shape);
    vision_.post_norm = weights.layer_norm("vision_model.post_layernorm", width, eps);
    vision_.projection =
        weights.linear("visual_projection", projection_width, width, /*has_bias=*/false);
  }

  clip::VisionTower vision_;
  clip::TextTower text_;
  double scale_ = 0;
};

}  // namespace

std::unique_ptr<Architecture> make_clip();
std::unique_ptr<Architecture> make_clip() {
  return nn::architecture_of<ClipNetwork>({.family = "clip",
                                           .summary = "CLIP with a vision transformer, MetaCLIP",
                                           .model_types = {"clip"},
                                           .heads = {"itc"},
                                           .paper = "Radford et al. 2021"});
}

}  // namespace snellen::models
