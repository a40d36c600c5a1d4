// SPDX-License-Identifier: Apache-2.0
// ALIGN (Jia et al. 2021; docs/spec/models.md 3.4): an EfficientNet beside a BERT.
#include <algorithm>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/align/efficient_net.h"
#include "snellen/models/nn/bert_layers.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"

namespace snellen::models {
namespace {

constexpr int64_t kProcessorTokens =
    64;  // AlignProcessor pads and cuts texts there (docs/spec/models.md 2.2)

class AlignNetwork : public nn::NetworkBase, public DualEncoder {
 public:
  AlignNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
    ConfigView config = checkpoint.config();
    ConfigView vision = config.sub("vision_config");
    vision_ = align::load_efficient_net(weights, vision);
    ConfigView text = config.sub("text_config");
    nn::BertShape shape = nn::bert_shape(text);
    embeddings_ = nn::bert_embeddings(weights,
                                      "text_model.embeddings.",
                                      text.positive("vocab_size", 30522),
                                      text.positive("max_position_embeddings", 512),
                                      text.positive("type_vocab_size", 2),
                                      shape);
    layers_ = nn::bert_layers(
        weights, "text_model.encoder.layer.", text.layers("num_hidden_layers", 12), shape);
    projection_ =
        weights.linear("text_projection", config.positive("projection_dim", 640), shape.width);
    temperature_ = weights.take_number("temperature");
    settle(weights,
           {.family = "align",
            .heads = {"itc"},
            .max_text_tokens = std::min(kProcessorTokens, embeddings_.max_tokens()),
            .stamp = {{"activation", std::string(nn::name_of(shape.activation))},
                      {"eps", fmt::format("{}", shape.eps)},
                      {"batch norm eps",
                       fmt::format("{}", vision.positive_number("batch_norm_eps", 1e-3))},
                      {"pooling", vision_.pools_maximum ? "largest over space" : "mean over space"},
                      {"temperature", fmt::format("{}", temperature_)}}});
  }

  const DualEncoder* dual() const override { return this; }

  Matrix embed_images(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    return nn::to_matrix(vision_(pixels_of(pixels), trace));
  }
  Matrix embed_texts(std::span<const TokenIds> texts, Trace* trace) const override {
    c10::InferenceMode guard;
    nn::TextBatchOptions batching =
        nn::batching_of(embeddings_.vocabulary(), embeddings_.max_tokens(), options());
    return nn::rows_by_text(texts, batching, trace, [&](const nn::TextBatch& batch, Trace* shown) {
      at::Tensor x = nn::run_layers(layers_, embeddings_(batch.ids), batch, shown, "text");
      return projection_(x.select(1, 0));
    });
  }
  Similarity similarity(std::string_view) const override { return {.scale = 1 / temperature_}; }

 private:
  align::EfficientNet vision_;
  nn::BertEmbeddings embeddings_;
  std::vector<nn::PostNormBlock> layers_;
  nn::Linear projection_;
  double temperature_ = 1;
};

}  // namespace

std::unique_ptr<Architecture> make_align();
std::unique_ptr<Architecture> make_align() {
  return nn::architecture_of<AlignNetwork>({.family = "align",
                                            .summary = "ALIGN: EfficientNet and BERT",
                                            .model_types = {"align"},
                                            .heads = {"itc"},
                                            .paper = "Jia et al. 2021"});
}

}  // namespace snellen::models
