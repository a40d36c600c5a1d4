// SPDX-License-Identifier: Apache-2.0
// ViLT (Kim et al. 2021; docs/spec/models.md 4.1): words and patches in one transformer. Pictures
// keep their shape, so the position map is stretched to each one's grid; patches stay in natural
// order.
#include <algorithm>

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
    40;  // ViltProcessor cuts texts there (docs/spec/models.md 2.2)

// Class token and patches, embedded: [1, 1 + patches, width].
struct ViltImage {
  at::Tensor tokens;
};

class ViltNetwork : public nn::NetworkBase, public PairScorer {
 public:
  ViltNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options, {"vilt."});
    ConfigView config = checkpoint.config();
    nn::BertShape bert = nn::bert_shape(config);
    nn::BlockShape shape = {.width = bert.width,
                            .mlp_width = bert.mlp_width,
                            .num_heads = bert.num_heads,
                            .eps = bert.eps,
                            .activation = bert.activation,
                            .has_qkv_bias = config.boolean("qkv_bias", true)};
    load_embeddings(weights, config, bert);
    blocks_ = nn::pre_norm_blocks(weights,
                                  "encoder.layer.",
                                  config.layers("num_hidden_layers", 12),
                                  nn::kVitBlockNames,
                                  shape);
    norm_ = weights.layer_norm("layernorm", shape.width, shape.eps);
    pooler_ = weights.linear("pooler.dense", shape.width, shape.width);
    head_ = weights.linear("rank_output", 1, shape.width);
    std::vector<std::string> warnings;
    if (int64_t most = config.integer("max_image_length", -1); most > 0)
      warnings.push_back(fmt::format(
          "max_image_length is {}: the reference keeps a random part of the patches, here all are "
          "kept",
          most));
    settle(weights,
           {.family = "vilt",
            .heads = {"itm"},
            .max_text_tokens = std::min(kProcessorTokens, embeddings_.max_tokens()),
            .stamp = {{"activation", std::string(nn::name_of(shape.activation))},
                      {"eps", fmt::format("{}", shape.eps)},
                      {"pooling", "first text token"},
                      {"patches", "all, in natural order"}},
            .warnings = std::move(warnings)});
  }

  const PairScorer* pair() const override { return this; }
  size_t score_column() const override { return 0; }

  SeenImages see(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    at::Tensor patches = patches_(pixels_of(pixels));
    at::Tensor map = positions_for(pixels.height / patches_.patch, pixels.width / patches_.patch);
    nn::record(trace, "position.0", map);
    at::Tensor x = patches + map.flatten(2).transpose(1, 2);
    at::Tensor first = (class_token_ + class_position_).expand({x.size(0), 1, x.size(2)});
    x = at::cat({first, x}, 1) + modality_[1];
    return nn::seen_images(
        x.size(0), [&](int64_t i) { return ViltImage{.tokens = x.narrow(0, i, 1).clone()}; });
  }

  Matrix match(const SeenImage& image,
               std::span<const TokenIds> texts,
               Trace* trace) const override {
    c10::InferenceMode guard;
    const at::Tensor& tokens = nn::state_of<ViltImage>(image).tokens;
    nn::TextBatchOptions batching =
        nn::batching_of(embeddings_.vocabulary(), embeddings_.max_tokens(), options());
    if (tokens.is_cpu()) {
      batching.beside = tokens.size(1);
      batching.most_texts = kMostTexts;
    }
    return nn::rows_by_text(texts, batching, trace, [&](const nn::TextBatch& batch, Trace* shown) {
      at::Tensor text = embeddings_(batch.ids);
      if (shown) nn::record(shown, "text.0", text.narrow(0, 0, 1).narrow(1, 0, batch.lengths[0]));
      at::Tensor x = at::cat(
          {text + modality_[0], tokens.expand({batch.size(), tokens.size(1), tokens.size(2)})}, 1);
      at::Tensor hidden;
      if (batch.hidden_keys.defined())
        hidden = at::constant_pad_nd(batch.hidden_keys, {0, tokens.size(1)});
      const at::Tensor pooled =
          at::tanh(pooler_(norm_(first_token(x, {.hidden_keys = hidden}, batch, shown))));
      if (shown) nn::record(shown, kPooledTrace, pooled.narrow(0, 0, 1));
      return head_(pooled);
    });
  }

 private:
  // More at once only leave the cache.
  static constexpr int64_t kMostTexts = 8;

  // What the last layer makes of the first text token; of the others nobody asks.
  at::Tensor first_token(at::Tensor x,
                         const nn::AttentionMask& mask,
                         const nn::TextBatch& batch,
                         Trace* trace) const {
    if (!trace) return nn::run_blocks_pooled(blocks_, x, mask, {}, nullptr, "");
    show(trace, 0, x, batch);
    for (size_t i = 0; i < blocks_.size(); ++i) {
      x = blocks_[i](x, mask);
      show(trace, i + 1, x, batch);
    }
    return x.select(1, 0);
  }

  // Text tokens and the picture's class token.
  static void show(Trace* trace, size_t layer, const at::Tensor& x, const nn::TextBatch& batch) {
    if (!trace) return;
    at::Tensor first = x.narrow(0, 0, 1);
    nn::record(
        trace,
        "text_part",
        layer,
        at::cat({first.narrow(1, 0, batch.lengths[0]), first.narrow(1, batch.length(), 1)}, 1));
  }

  // [1, width, height, width of the grid].
  at::Tensor positions_for(int64_t height, int64_t width) const {
    return at::upsample_bilinear2d(position_map_, {height, width}, /*align_corners=*/true)
        .to(options());
  }

  void load_embeddings(nn::Weights& weights, const ConfigView& config, const nn::BertShape& shape) {
    embeddings_ = nn::bert_embeddings(weights,
                                      "embeddings.text_embeddings.",
                                      config.positive("vocab_size", 30522),
                                      config.positive("max_position_embeddings", 40),
                                      config.positive("type_vocab_size", 2),
                                      shape);
    int64_t patch = config.positive("patch_size", 32);
    int64_t grid = config.positive("image_size", 384) / patch;
    patches_ = weights.patch_embedding(
        "embeddings.patch_embeddings.projection", shape.width, patch, /*has_bias=*/true);
    class_token_ = weights.take("embeddings.cls_token", {1, 1, shape.width});
    at::Tensor positions =
        weights.take_float("embeddings.position_embeddings", {1, 1 + grid * grid, shape.width});
    class_position_ = positions.narrow(1, 0, 1).to(weights.options());
    position_map_ = positions.narrow(1, 1, grid * grid)
                        .transpose(1, 2)
                        .reshape({1, shape.width, grid, grid})
                        .contiguous();
    modality_ = weights.take("embeddings.token_type_embeddings.weight",
                             {config.positive("modality_type_vocab_size", 2), shape.width});
  }

  nn::BertEmbeddings embeddings_;
  nn::PatchEmbedding patches_;
  at::Tensor class_token_;     // [1, 1, width]
  at::Tensor class_position_;  // [1, 1, width]
  at::Tensor position_map_;    // [1, width, grid, grid], float32
  at::Tensor modality_;        // [2, width]: text, picture
  std::vector<nn::PreNormBlock> blocks_;
  nn::LayerNorm norm_;
  nn::Linear pooler_;
  nn::Linear head_;
};

}  // namespace

std::unique_ptr<Architecture> make_vilt();
std::unique_ptr<Architecture> make_vilt() {
  return nn::architecture_of<ViltNetwork>(
      {.family = "vilt",
       .summary = "ViLT for retrieval: words and patches in one transformer",
       .model_types = {"vilt"},
       .heads = {"itm"},
       .paper = "Kim et al. 2021"});
}

}  // namespace snellen::models
