// SPDX-License-Identifier: Apache-2.0
// BLIP for retrieval (Li et al. 2022; spec/models.md 4.3): a text encoder that, layer by layer,
// also looks at the picture, and a contrastive head beside it. The picture's keys and values are
// made once for all texts.
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/blip/vision.h"
#include "snellen/models/nn/bert_layers.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/nn/seen_images.h"

namespace snellen::models {
namespace {

// The picture as every layer's cross-attention wants it.
struct BlipImage {
  std::vector<nn::KeysAndValues> layers;
};

class BlipNetwork : public nn::NetworkBase, public PairScorer, public DualEncoder {
 public:
  BlipNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
    ConfigView config = checkpoint.config();
    vision_ = blip::load_vision(weights, config.sub("vision_config"), {});
    load_text(weights, config.sub("text_config"));
    int64_t joint = config.positive("image_text_hidden_size", 256);
    itm_head_ = weights.linear("itm_head", 2, text_width_);
    vision_projection_ = weights.linear("vision_proj", joint, vision_.width());
    text_projection_ = weights.linear("text_proj", joint, text_width_);
    settle(weights,
           {.family = "blip",
            .heads = {"itm", "itc"},
            .max_text_tokens = embeddings_.max_tokens(),
            .image_size = vision_.transformer.image_size,
            .stamp = {{"activation", std::string(nn::name_of(layers_[0].mlp.activation))},
                      {"eps", fmt::format("{}", embeddings_.norm.eps)},
                      {"vision eps", fmt::format("{}", vision_.post_norm.eps)},
                      {"pooling", "first token"}}});
  }

  const PairScorer* pair() const override { return this; }
  const DualEncoder* dual() const override { return this; }
  size_t score_column() const override { return 1; }

  SeenImages see(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    at::Tensor tokens = vision_(pixels_of(pixels), trace);
    return nn::seen_images(tokens.size(0), [&](int64_t i) {
      BlipImage image;
      for (const nn::PostNormBlock& layer : layers_)
        image.layers.push_back(layer.cross->remember(tokens.narrow(0, i, 1)));
      return image;
    });
  }

  Matrix match(const SeenImage& image,
               std::span<const TokenIds> texts,
               Trace* trace) const override {
    c10::InferenceMode guard;
    const auto& seen = nn::state_of<BlipImage>(image);
    return nn::rows_by_text(
        texts, batching(), trace, [&](const nn::TextBatch& batch, Trace* shown) {
          at::Tensor x = embeddings_(batch.ids);
          auto show = [&](size_t layer) {
            if (shown)
              nn::record(shown, "text", layer, x.narrow(0, 0, 1).narrow(1, 0, batch.lengths[0]));
          };
          show(0);
          for (size_t i = 0; i < layers_.size(); ++i) {
            x = layers_[i](x, {.hidden_keys = batch.hidden_keys}, &seen.layers[i]);
            show(i + 1);
          }
          return itm_head_(x.select(1, 0));
        });
  }

  Matrix embed_images(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    return nn::to_matrix(vision_projection_(vision_(pixels_of(pixels), trace).select(1, 0)));
  }
  Matrix embed_texts(std::span<const TokenIds> texts, Trace*) const override {
    c10::InferenceMode guard;
    return nn::rows_by_text(texts, batching(), nullptr, [&](const nn::TextBatch& batch, Trace*) {
      at::Tensor x = nn::run_layers(layers_, embeddings_(batch.ids), batch, nullptr, "text");
      return text_projection_(x.select(1, 0));
    });
  }
  Similarity similarity(std::string_view) const override { return {}; }

 private:
  nn::TextBatchOptions batching() const {
    return nn::batching_of(embeddings_.vocabulary(), embeddings_.max_tokens(), options());
  }

  void load_text(nn::Weights& weights, const ConfigView& config) {
    nn::BertShape shape = nn::bert_shape(config, {.num_heads = 8});
    shape.context_width = vision_.width();
    text_width_ = shape.width;
    embeddings_ = nn::bert_embeddings(weights,
                                      "text_encoder.embeddings.",
                                      config.positive("vocab_size", 30524),
                                      config.positive("max_position_embeddings", 512),
                                      /*num_types=*/0,
                                      shape);
    layers_ = nn::bert_layers(
        weights, "text_encoder.encoder.layer.", config.layers("num_hidden_layers", 12), shape);
  }

  blip::VisionTower vision_;
  nn::BertEmbeddings embeddings_;
  std::vector<nn::PostNormBlock> layers_;
  int64_t text_width_ = 0;
  nn::Linear itm_head_;
  nn::Linear vision_projection_;
  nn::Linear text_projection_;
};

}  // namespace

std::unique_ptr<Architecture> make_blip();
std::unique_ptr<Architecture> make_blip() {
  return nn::architecture_of<BlipNetwork>(
      {.family = "blip",
       .summary = "BLIP for retrieval: image-text matching and a contrastive head",
       .model_types = {"blip"},
       .heads = {"itm", "itc"},
       .paper = "Li et al. 2022"});
}

}  // namespace snellen::models
