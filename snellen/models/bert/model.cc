// SPDX-License-Identifier: Apache-2.0
// BERT and MiniLM as encoders of text (Devlin et al. 2019; docs/spec/models.md 4.8), with the heads
// of BertForMaskedLM and BertForSequenceClassification where the folder has them.
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/nn/bert_layers.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/text_heads.h"

namespace snellen::models {
namespace {

class BertNetwork : public nn::NetworkBase, public TextEncoder, public TextHeads {
 public:
  BertNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options, {"bert."});
    ConfigView config = checkpoint.config();
    nn::BertShape shape = nn::bert_shape(config);
    embeddings_ = nn::bert_embeddings(weights,
                                      "embeddings.",
                                      config.positive("vocab_size", 30522),
                                      config.positive("max_position_embeddings", 512),
                                      config.positive("type_vocab_size", 2),
                                      shape);
    layers_ =
        nn::bert_layers(weights, "encoder.layer.", config.layers("num_hidden_layers", 12), shape);
    if (weights.has("pooler.dense.weight"))
      pooler_ = weights.linear("pooler.dense", shape.width, shape.width);
    load_token_head(weights, shape);
    load_class_head(weights, config, shape);
    settle(weights,
           {.family = "bert",
            .heads = {"vector"},
            .max_text_tokens = embeddings_.max_tokens(),
            .stamp = {{"activation", std::string(nn::name_of(shape.activation))},
                      {"eps", fmt::format("{}", shape.eps)}}});
  }

  const TextEncoder* encoder() const override { return this; }

  Encoded encode(std::span<const TokenIds> texts, Trace* trace) const override {
    c10::InferenceMode guard;
    nn::RowsByText first(texts.size()), mean(texts.size()), pooled(texts.size());
    for (const nn::TextBatch& batch : nn::batches_of(texts, batching())) {
      Trace* shown = batch.places[0] == 0 ? trace : nullptr;
      at::Tensor x = nn::run_layers(layers_, embeddings_(batch.ids), batch, shown, "hidden");
      first.put(batch, x.select(1, 0));
      mean.put(batch, nn::mean_over_tokens(x, batch));
      if (pooler_) pooled.put(batch, at::tanh((*pooler_)(x.select(1, 0))));
    }
    return {.first = first.matrix(), .mean = mean.matrix(), .pooled = pooled.matrix()};
  }

  bool predicts_tokens() const override { return token_head_.has_value(); }

  Matrix token_log_probabilities(const TokenIds& text, size_t place) const override {
    c10::InferenceMode guard;
    SNELLEN_CHECK(place < text.size());
    const at::Tensor states = states_of(text).narrow(0, static_cast<int64_t>(place), 1);
    return nn::to_matrix(at::log_softmax(token_logits(states).to(at::kFloat), 1));
  }

  std::vector<double> own_log_probabilities(const TokenIds& text) const override {
    c10::InferenceMode guard;
    const at::Tensor logits = token_logits(states_of(text)).to(at::kFloat);
    const at::Tensor ids =
        at::tensor(std::vector<int64_t>(text.begin(), text.end())).to(logits.device());
    const at::Tensor own =
        at::log_softmax(logits, 1).gather(1, ids.unsqueeze(1)).squeeze(1).to(at::kDouble).cpu();
    return {own.data_ptr<double>(), own.data_ptr<double>() + own.numel()};
  }

  std::span<const std::string> classes() const override { return classes_; }

  Matrix class_logits(std::span<const TokenIds> texts) const override {
    c10::InferenceMode guard;
    SNELLEN_CHECK(classifier_.has_value());
    nn::RowsByText rows(texts.size());
    for (const nn::TextBatch& batch : nn::batches_of(texts, batching())) {
      const at::Tensor x =
          nn::run_layers(layers_, embeddings_(batch.ids), batch, nullptr, "hidden");
      rows.put(batch, (*classifier_)(at::tanh((*pooler_)(x.select(1, 0)))));
    }
    return rows.matrix();
  }

 private:
  struct TokenHead {
    nn::Linear dense;
    nn::Activation activation = nn::Activation::kGelu;
    nn::LayerNorm norm;
    nn::Linear decoder;
  };

  nn::TextBatchOptions batching() const {
    return {.vocabulary = embeddings_.vocabulary(),
            .max_tokens = embeddings_.max_tokens(),
            .device = options().device(),
            .mask_type = c10::typeMetaToScalarType(options().dtype())};
  }

  void load_token_head(nn::Weights& weights, const nn::BertShape& shape) {
    const std::string head = "cls.predictions.";
    if (!weights.has(head + "transform.dense.weight")) return;
    token_head_ =
        TokenHead{.dense = weights.linear(head + "transform.dense", shape.width, shape.width),
                  .activation = shape.activation,
                  .norm = weights.layer_norm(head + "transform.LayerNorm", shape.width, shape.eps),
                  .decoder = {.weight = embeddings_.words, .bias = {}}};
    const int64_t vocabulary = embeddings_.vocabulary();
    // Tied to the word embeddings unless the file has its own.
    if (weights.has(head + "decoder.weight"))
      token_head_->decoder.weight =
          weights.take(head + "decoder.weight", {vocabulary, shape.width});
    const std::string bias = weights.has(head + "bias") ? "bias" : "decoder.bias";
    token_head_->decoder.bias = weights.take(head + bias, {vocabulary});
  }

  void load_class_head(nn::Weights& weights, const ConfigView& config, const nn::BertShape& shape) {
    if (!weights.has("classifier.weight") || !pooler_) return;
    const int64_t count = weights.shape_of("classifier.weight").at(0);
    classifier_ = weights.linear("classifier", count, shape.width);
    for (int64_t i = 0; i < count; ++i) {
      const std::string fallback = fmt::format("LABEL_{}", i);
      classes_.push_back(config.is_object("id2label")
                             ? config.sub("id2label").text(std::to_string(i), fallback)
                             : fallback);
    }
  }

  // Of the last layer, [tokens, width].
  at::Tensor states_of(const TokenIds& text) const {
    const std::vector<nn::TextBatch> batches = nn::batches_of(std::span(&text, 1), batching());
    const nn::TextBatch& batch = batches.at(0);
    return nn::run_layers(layers_, embeddings_(batch.ids), batch, nullptr, "hidden")
        .select(0, 0)
        .narrow(0, 0, static_cast<int64_t>(text.size()));
  }

  at::Tensor token_logits(const at::Tensor& states) const {
    SNELLEN_CHECK(token_head_.has_value());
    const TokenHead& head = *token_head_;
    return head.decoder(head.norm(nn::activate(head.activation, head.dense(states))));
  }

  nn::BertEmbeddings embeddings_;
  std::vector<nn::PostNormBlock> layers_;
  std::optional<nn::Linear> pooler_;
  std::optional<TokenHead> token_head_;
  std::optional<nn::Linear> classifier_;
  std::vector<std::string> classes_;
};

}  // namespace

std::unique_ptr<Architecture> make_bert();
std::unique_ptr<Architecture> make_bert() {
  return nn::architecture_of<BertNetwork>(
      {.family = "bert",
       .summary = "BERT and MiniLM: vectors of texts, for BERT-L2 and BERT-CS",
       .model_types = {"bert"},
       .heads = {"vector"},
       .paper = "Devlin et al. 2019"});
}

}  // namespace snellen::models
