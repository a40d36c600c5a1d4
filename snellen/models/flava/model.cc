// SPDX-License-Identifier: Apache-2.0
// FLAVA (Singh et al. 2022; docs/spec/models.md 3.5): two towers that are compared, and a third
// that reads both.
#include <algorithm>
#include <cmath>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/nn/bert_layers.h"
#include "snellen/models/nn/block_weights.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/nn/seen_images.h"
#include "snellen/models/nn/vision_transformer.h"
#include "snellen/models/pooled_trace.h"

namespace snellen::models {
namespace {

constexpr int64_t kProcessorTokens =
    77;  // FlavaProcessor cuts texts there (docs/spec/models.md 2.2)

nn::BlockShape shape_of(const ConfigView& config) {
  int64_t width = config.positive("hidden_size", 768);
  return {.width = width,
          .mlp_width = config.positive("intermediate_size", 3072),
          .num_heads = config.heads("num_attention_heads", 12, width),
          .eps = config.positive_number("layer_norm_eps", 1e-12),
          .activation = nn::activation_of(config.text("hidden_act", "gelu")),
          .has_qkv_bias = config.boolean("qkv_bias", true)};
}

// The picture's states, ready for the third tower: [1, tokens, multimodal width].
struct FlavaImage {
  at::Tensor states;
};

class FlavaNetwork : public nn::NetworkBase, public DualEncoder, public PairScorer {
 public:
  FlavaNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options, {"flava."});
    ConfigView config = checkpoint.config();
    int64_t joint = config.positive("projection_dim", 768);
    load_image(weights, config.sub_with_twin("image_config"), joint);
    load_text(weights, config.sub_with_twin("text_config"), joint);
    load_multimodal(weights, config.sub_with_twin("multimodal_config"));
    scale_ = std::exp(weights.take_number("logit_scale"));
    std::vector<std::string> heads = {"itc", "raw_dot"};
    if (itm_head_.weight.defined()) heads.emplace_back("itm");
    settle(weights,
           {.family = "flava",
            .heads = std::move(heads),
            .max_text_tokens = std::min(kProcessorTokens, embeddings_.max_tokens()),
            .image_size = image_.image_size,
            .stamp = {{"eps", fmt::format("{}", image_norm_.eps)},
                      {"pooling", "normed first token"},
                      {"scale", fmt::format("{}", scale_)}}});
  }

  const DualEncoder* dual() const override { return this; }
  const PairScorer* pair() const override { return itm_head_.weight.defined() ? this : nullptr; }
  size_t score_column() const override { return 1; }

  Matrix embed_images(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    return nn::to_matrix(image_projection_(image_norm_(image_states(pixels, trace).select(1, 0))));
  }
  Matrix embed_texts(std::span<const TokenIds> texts, Trace* trace) const override {
    c10::InferenceMode guard;
    return nn::rows_by_text(
        texts, batching(), trace, [&](const nn::TextBatch& batch, Trace* shown) {
          return text_projection_(text_norm_(text_states(batch, shown).select(1, 0)));
        });
  }
  Similarity similarity(std::string_view head) const override {
    if (head == "raw_dot") return {.is_cosine = false};
    return {.scale = scale_};
  }

  SeenImages see(const PixelsView& pixels, Trace*) const override {
    c10::InferenceMode guard;
    at::Tensor states = image_to_multimodal_(image_states(pixels, nullptr));
    return nn::seen_images(states.size(0), [&](int64_t i) {
      return FlavaImage{.states = states.narrow(0, i, 1).clone()};
    });
  }

  Matrix match(const SeenImage& image,
               std::span<const TokenIds> texts,
               Trace* trace) const override {
    c10::InferenceMode guard;
    const at::Tensor& states = nn::state_of<FlavaImage>(image).states;
    return nn::rows_by_text(
        texts, batching(), trace, [&](const nn::TextBatch& batch, Trace* shown) {
          int64_t n = batch.size();
          std::vector<at::Tensor> parts;
          if (class_token_.defined())
            parts.push_back(class_token_.expand({n, 1, class_token_.size(2)}));
          parts.push_back(states.expand({n, states.size(1), states.size(2)}));
          parts.push_back(text_to_multimodal_(text_states(batch, nullptr)));
          at::Tensor x = at::cat(parts, 1);
          at::Tensor hidden;
          if (batch.hidden_keys.defined())
            hidden = at::constant_pad_nd(batch.hidden_keys, {x.size(1) - batch.length(), 0});
          x = multimodal_norm_(
              nn::run_blocks(multimodal_, x, {.hidden_keys = hidden}, nullptr, ""));
          const at::Tensor pooled = at::tanh(itm_pooler_(x.select(1, 0)));
          if (shown) nn::record(shown, kPooledTrace, pooled.narrow(0, 0, 1));
          return itm_head_(pooled);
        });
  }

 private:
  at::Tensor image_states(const PixelsView& pixels, Trace* trace) const {
    return image_(pixels_of(pixels), trace);
  }
  at::Tensor text_states(const nn::TextBatch& batch, Trace* trace) const {
    at::Tensor x = embeddings_(batch.ids);
    if (trace) nn::record(trace, "text.0", x.narrow(0, 0, 1).narrow(1, 0, batch.lengths[0]));
    return nn::run_blocks(
        text_, x, {.hidden_keys = batch.hidden_keys}, trace, "text", batch.lengths[0]);
  }
  nn::TextBatchOptions batching() const {
    return nn::batching_of(embeddings_.vocabulary(), embeddings_.max_tokens(), options());
  }

  void load_image(nn::Weights& weights, const ConfigView& config, int64_t joint) {
    nn::BlockShape shape = shape_of(config);
    int64_t patch = config.positive("patch_size", 16);
    image_.image_size = config.positive("image_size", 224);
    int64_t grid = image_.image_size / patch;
    const std::string prefix = "image_model.embeddings.";
    image_.patches = weights.patch_embedding(
        prefix + "patch_embeddings.projection", shape.width, patch, /*has_bias=*/true);
    image_.class_token =
        weights.take(prefix + "cls_token", {1, 1, shape.width}).view({shape.width});
    image_.positions =
        weights.take(prefix + "position_embeddings", {1, grid * grid + 1, shape.width}).squeeze(0);
    image_.blocks = nn::pre_norm_blocks(weights,
                                        "image_model.encoder.layer.",
                                        config.layers("num_hidden_layers", 12),
                                        nn::kVitBlockNames,
                                        shape);
    image_norm_ = weights.layer_norm("image_model.layernorm", shape.width, shape.eps);
    image_projection_ = weights.linear("image_projection", joint, shape.width);
  }

  void load_text(nn::Weights& weights, const ConfigView& config, int64_t joint) {
    nn::BlockShape shape = shape_of(config);
    embeddings_ = nn::bert_embeddings(weights,
                                      "text_model.embeddings.",
                                      config.positive("vocab_size", 30522),
                                      config.positive("max_position_embeddings", 512),
                                      config.positive("type_vocab_size", 2),
                                      {.width = shape.width, .eps = shape.eps});
    text_ = nn::pre_norm_blocks(weights,
                                "text_model.encoder.layer.",
                                config.layers("num_hidden_layers", 12),
                                nn::kVitBlockNames,
                                shape);
    text_norm_ = weights.layer_norm("text_model.layernorm", shape.width, shape.eps);
    text_projection_ = weights.linear("text_projection", joint, shape.width);
  }

  void load_multimodal(nn::Weights& weights, const ConfigView& config) {
    // A checkpoint of the towers alone has no matching head.
    if (!weights.has("itm_head.seq_relationship.weight")) return;
    nn::BlockShape shape = shape_of(config);
    image_to_multimodal_ =
        weights.linear("image_to_mm_projection", shape.width, image_norm_.weight.size(0));
    text_to_multimodal_ =
        weights.linear("text_to_mm_projection", shape.width, text_norm_.weight.size(0));
    if (config.boolean("use_cls_token", true))
      class_token_ = weights.take("multimodal_model.cls_token", {1, 1, shape.width});
    multimodal_ = nn::pre_norm_blocks(weights,
                                      "multimodal_model.encoder.layer.",
                                      config.layers("num_hidden_layers", 6),
                                      nn::kVitBlockNames,
                                      shape);
    multimodal_norm_ = weights.layer_norm("multimodal_model.layernorm", shape.width, shape.eps);
    itm_pooler_ = weights.linear("itm_head.pooler.dense", shape.width, shape.width);
    itm_head_ = weights.linear("itm_head.seq_relationship", 2, shape.width);
  }

  nn::VisionTransformer image_;
  nn::LayerNorm image_norm_;
  nn::Linear image_projection_;
  nn::BertEmbeddings embeddings_;
  std::vector<nn::PreNormBlock> text_;
  nn::LayerNorm text_norm_;
  nn::Linear text_projection_;
  nn::Linear image_to_multimodal_;
  nn::Linear text_to_multimodal_;
  at::Tensor class_token_;
  std::vector<nn::PreNormBlock> multimodal_;
  nn::LayerNorm multimodal_norm_;
  nn::Linear itm_pooler_;
  nn::Linear itm_head_;
  double scale_ = 0;
};

}  // namespace

std::unique_ptr<Architecture> make_flava();
std::unique_ptr<Architecture> make_flava() {
  return nn::architecture_of<FlavaNetwork>(
      {.family = "flava",
       .summary = "FLAVA: contrastive, raw product of embeddings, and matching",
       .model_types = {"flava"},
       .heads = {"itc", "raw_dot", "itm"},
       .paper = "Singh et al. 2022"});
}

}  // namespace snellen::models
