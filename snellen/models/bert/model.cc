// SPDX-License-Identifier: Apache-2.0
// BERT and MiniLM as encoders of text (Devlin et al. 2019; spec/models.md 4.8).
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/nn/bert_layers.h"
#include "snellen/models/nn/convert.h"

namespace snellen::models {
namespace {

class BertNetwork : public Network, public TextEncoder {
 public:
  BertNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options, {"bert."});
    options_ = weights.options();
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
    unused_ = weights.unused();
    facts_ = {.family = "bert",
              .heads = {"vector"},
              .max_text_tokens = embeddings_.max_tokens(),
              .stamp = {{"activation", std::string(nn::name_of(shape.activation))},
                        {"eps", fmt::format("{}", shape.eps)}}};
  }

  const NetworkFacts& facts() const override { return facts_; }
  const TextEncoder* encoder() const override { return this; }
  std::span<const std::string> unused_weights() const override { return unused_; }

  Encoded encode(std::span<const TokenIds> texts, Trace* trace) const override {
    c10::InferenceMode guard;
    nn::RowsByText first(texts.size()), mean(texts.size()), pooled(texts.size());
    nn::TextBatchOptions batching = {.vocabulary = embeddings_.vocabulary(),
                                     .max_tokens = embeddings_.max_tokens(),
                                     .device = options_.device(),
                                     .mask_type = c10::typeMetaToScalarType(options_.dtype())};
    for (const nn::TextBatch& batch : nn::batches_of(texts, batching)) {
      Trace* shown = batch.places[0] == 0 ? trace : nullptr;
      at::Tensor x = nn::run_layers(layers_, embeddings_(batch.ids), batch, shown, "hidden");
      first.put(batch, x.select(1, 0));
      mean.put(batch, mean_of(x.to(at::kFloat), batch));
      if (pooler_) pooled.put(batch, at::tanh((*pooler_)(x.select(1, 0))));
    }
    return {.first = first.matrix(), .mean = mean.matrix(), .pooled = pooled.matrix()};
  }

 private:
  static at::Tensor mean_of(const at::Tensor& x, const nn::TextBatch& batch) {
    std::vector<at::Tensor> rows;
    for (int64_t i = 0; i < batch.size(); ++i)
      rows.push_back(x[i].narrow(0, 0, batch.lengths[static_cast<size_t>(i)]).mean(0));
    return at::stack(rows);
  }

  nn::BertEmbeddings embeddings_;
  std::vector<nn::PostNormBlock> layers_;
  std::optional<nn::Linear> pooler_;
  at::TensorOptions options_;
  NetworkFacts facts_;
  std::vector<std::string> unused_;
};

class Bert : public Architecture {
 public:
  const ArchitectureFacts& facts() const override { return facts_; }
  std::unique_ptr<Network> load(const Checkpoint& checkpoint,
                                const NetworkOptions& options) const override {
    return std::make_unique<BertNetwork>(checkpoint, options);
  }

 private:
  ArchitectureFacts facts_ = {
      .family = "bert",
      .summary = "BERT and MiniLM: vectors of texts, for BERT-L2 and BERT-CS",
      .model_types = {"bert"},
      .heads = {"vector"},
      .paper = "Devlin et al. 2019"};
};

}  // namespace

std::unique_ptr<Architecture> make_bert();
std::unique_ptr<Architecture> make_bert() {
  return std::make_unique<Bert>();
}

}  // namespace snellen::models
