// SPDX-License-Identifier: Apache-2.0
// CLIP in open_clip's layout, and OpenAI's own names: vision transformers and ResNets.
#include <cmath>
#include <optional>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/clip/towers.h"
#include "snellen/models/nn/block_weights.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/open_clip/resnet.h"
#include "snellen/models/open_clip/settings.h"

namespace snellen::models {
namespace {

using open_clip::Settings;

// x @ P, stored [in, out].
nn::Linear right_projection(nn::Weights& weights,
                            const std::string& name,
                            int64_t in,
                            int64_t out) {
  return {.weight = weights.take(name, {in, out}).t().contiguous(), .bias = {}};
}

class OpenClipNetwork : public nn::NetworkBase, public DualEncoder {
 public:
  OpenClipNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    // CustomTextCLIP puts the text tower under "text.".
    nn::Weights weights(checkpoint, options, {"text."});
    Settings settings = open_clip::settings_of(checkpoint, weights, options);
    nn::Activation activation =
        settings.is_quick_gelu ? nn::Activation::kQuickGelu : nn::Activation::kGelu;
    if (settings.resnet_layers.empty()) {
      load_transformer(weights, settings, activation);
    } else {
      resnet_ = open_clip::load_resnet(weights,
                                       {.layers = settings.resnet_layers,
                                        .width = settings.vision_width,
                                        .image_size = settings.image_size,
                                        .num_heads = settings.vision_heads,
                                        .embed_width = settings.embed_width});
    }
    load_text(weights, settings, activation);
    scale_ = std::exp(weights.take_number("logit_scale"));
    if (weights.has("logit_bias")) bias_ = weights.take_number("logit_bias");
    settle(weights,
           {.family = "open_clip",
            .heads = {"itc"},
            .max_text_tokens = settings.context,
            .image_size = settings.image_size,
            .stamp = {{"activation", std::string(nn::name_of(activation))},
                      {"eps", "1e-05"},
                      {"pooling",
                       resnet_ ? "attention over cells; largest id" : "class token; largest id"},
                      {"scale", fmt::format("{}", scale_)},
                      {"bias", fmt::format("{}", bias_)}}});
  }

  static bool reads(const Checkpoint& checkpoint) { return checkpoint.is_open_clip(); }
  const DualEncoder* dual() const override { return this; }

  Matrix embed_images(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    return nn::to_matrix(run_tower(pixels, trace, [&](const at::Tensor& input) {
      return resnet_ ? (*resnet_)(input, trace) : vision_(input, trace, /*traces_after_norm=*/true);
    }));
  }
  Matrix embed_texts(std::span<const TokenIds> texts, Trace* trace) const override {
    c10::InferenceMode guard;
    return clip::embed_texts(text_, texts, options(), trace);
  }
  Similarity similarity(std::string_view) const override {
    return {.scale = scale_, .bias = bias_};
  }

 private:
  void load_transformer(nn::Weights& weights, const Settings& settings, nn::Activation activation) {
    int64_t width = settings.vision_width;
    int64_t grid = settings.image_size / settings.patch;
    nn::VisionTransformer& tower = vision_.transformer;
    tower.image_size = settings.image_size;
    tower.patches =
        weights.patch_embedding("visual.conv1", width, settings.patch, /*has_bias=*/false);
    tower.class_token = weights.take("visual.class_embedding", {width});
    tower.positions = weights.take("visual.positional_embedding", {grid * grid + 1, width});
    tower.pre_norm = weights.layer_norm("visual.ln_pre", width, 1e-5);
    tower.blocks = nn::residual_attention_blocks(weights,
                                                 "visual.transformer.resblocks.",
                                                 settings.vision_layers,
                                                 {.width = width,
                                                  .mlp_width = settings.vision_mlp,
                                                  .num_heads = settings.vision_heads,
                                                  .eps = 1e-5,
                                                  .activation = activation});
    vision_.post_norm = weights.layer_norm("visual.ln_post", width, 1e-5);
    vision_.projection = right_projection(weights, "visual.proj", width, settings.embed_width);
  }

  void load_text(nn::Weights& weights, const Settings& settings, nn::Activation activation) {
    int64_t width = settings.text_width;
    text_.token_embedding = weights.take("token_embedding.weight", {settings.vocabulary, width});
    text_.position_embedding = weights.take("positional_embedding", {settings.context, width});
    text_.blocks = nn::residual_attention_blocks(weights,
                                                 "transformer.resblocks.",
                                                 settings.text_layers,
                                                 {.width = width,
                                                  .mlp_width = 4 * width,
                                                  .num_heads = settings.text_heads,
                                                  .eps = 1e-5,
                                                  .activation = activation});
    text_.final_norm = weights.layer_norm("ln_final", width, 1e-5);
    text_.projection = right_projection(weights, "text_projection", width, settings.embed_width);
    text_.pooling = {.takes_largest_id = true, .eos_id = 0};
  }

  clip::VisionTower vision_;
  std::optional<open_clip::ResNet> resnet_;
  clip::TextTower text_;
  double scale_ = 0;
  double bias_ = 0;
};

}  // namespace

std::unique_ptr<Architecture> make_open_clip();
std::unique_ptr<Architecture> make_open_clip() {
  return nn::architecture_of<OpenClipNetwork>(
      {.family = "open_clip",
       .summary = "CLIP in open_clip's folders: vision transformers and ResNets",
       .model_types = {},
       .heads = {"itc"},
       .paper = "Radford et al. 2021, Ilharco et al. 2021"});
}

}  // namespace snellen::models
