// SPDX-License-Identifier: Apache-2.0
// OTTER's dual encoder (Wu et al. 2022; docs/spec/models.md 5): a ResNet beside a BERT whose tokens
// are averaged. Its authors published no folder of this form, so nothing of theirs could be
// compared.
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/nn/bert_layers.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/otter/residual_net.h"

namespace snellen::models {
namespace {

constexpr double kTemperature = 60;

// Stages of timm's ResNets of bottlenecks; image_layers and image_width make others.
otter::ResidualNetShape image_shape(const ConfigView& config) {
  std::string name = config.text("image_arch", "resnet50");
  otter::ResidualNetShape shape;
  if (name == "resnet50") {
    shape.layers = {3, 4, 6, 3};
  } else if (name == "resnet101") {
    shape.layers = {3, 4, 23, 3};
  } else if (name == "resnet152") {
    shape.layers = {3, 8, 36, 3};
  } else {
    config.fail("image_arch",
                "'" + name + "' is not supported: resnet50, resnet101, resnet152 are");
  }
  shape.layers = config.integers("image_layers", shape.layers);
  if (shape.layers.size() != 4) config.fail("image_layers", "must name four stages");
  for (int64_t count : shape.layers) {
    if (count < 1 || count > 1024) config.fail("image_layers", "must be 1 to 1024 each");
  }
  shape.width = config.positive("image_width", 64, /*max=*/4096);
  shape.embed_width = config.positive("embedding_dim", 768);
  return shape;
}

class OtterNetwork : public nn::NetworkBase, public DualEncoder {
 public:
  OtterNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
    ConfigView config = checkpoint.config();
    otter::ResidualNetShape shape = image_shape(config);
    image_ = otter::load_residual_net(weights, "image_encoder.model.", shape);
    load_text(weights, config.sub("text_config"));
    if (embeddings_.words.size(1) != shape.embed_width)
      config.fail("embedding_dim", "must be the text encoder's hidden_size");
    bool is_stored = !config.is_set("temperature") && weights.has("contrastive_loss.T");
    temperature_ = is_stored ? weights.take_number("contrastive_loss.T")
                             : config.positive_number("temperature", kTemperature);
    int64_t most = std::min(config.positive("max_token_length", 60), embeddings_.max_tokens());
    settle(weights,
           {.family = "otter",
            .heads = {"itc"},
            .max_text_tokens = most,
            .stamp = {{"eps", fmt::format("{}", embeddings_.norm.eps)},
                      {"pooling", "mean over space; mean over tokens"},
                      {"temperature", fmt::format("{}", temperature_)}}});
  }

  const DualEncoder* dual() const override { return this; }

  Matrix embed_images(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    return nn::to_matrix(image_(pixels_of(pixels), trace));
  }
  Matrix embed_texts(std::span<const TokenIds> texts, Trace* trace) const override {
    c10::InferenceMode guard;
    nn::TextBatchOptions batching =
        nn::batching_of(embeddings_.vocabulary(), facts().max_text_tokens, options());
    batching.pad_id = pad_id_;
    return nn::rows_by_text(texts, batching, trace, [&](const nn::TextBatch& batch, Trace* shown) {
      return nn::mean_over_tokens(
          nn::run_layers(layers_, embeddings_(batch.ids), batch, shown, "text"), batch);
    });
  }
  Similarity similarity(std::string_view) const override { return {.scale = temperature_}; }

 private:
  void load_text(nn::Weights& weights, const ConfigView& config) {
    bool is_roberta = config.text("model_type", "bert") == "roberta";
    nn::BertShape shape = nn::bert_shape(config);
    pad_id_ = config.integer("pad_token_id", is_roberta ? 1 : 0);
    int64_t vocabulary = config.positive("vocab_size", 30522);
    if (pad_id_ < 0 || pad_id_ >= vocabulary)
      config.fail("pad_token_id", "is outside the vocabulary");
    const std::string prefix = "text_encoder.model.";
    embeddings_ = nn::bert_embeddings(weights,
                                      prefix + "embeddings.",
                                      vocabulary,
                                      config.positive("max_position_embeddings", 512),
                                      config.positive("type_vocab_size", 2),
                                      shape);
    if (is_roberta) embeddings_.pad_id = pad_id_;
    layers_ = nn::bert_layers(
        weights, prefix + "encoder.layer.", config.layers("num_hidden_layers", 12), shape);
  }

  otter::ResidualNet image_;
  nn::BertEmbeddings embeddings_;
  std::vector<nn::PostNormBlock> layers_;
  int64_t pad_id_ = 0;
  double temperature_ = kTemperature;
};

}  // namespace

std::unique_ptr<Architecture> make_otter();
std::unique_ptr<Architecture> make_otter() {
  return nn::architecture_of<OtterNetwork>(
      {.family = "otter",
       .summary = "OTTER: a ResNet and a BERT; folders converted as its README says",
       .model_types = {"otter"},
       .heads = {"itc"},
       .paper = "Wu et al. 2022"});
}

}  // namespace snellen::models
