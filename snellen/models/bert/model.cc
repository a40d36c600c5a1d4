// SPDX-License-Identifier: Apache-2.0
// BERT and MiniLM as encoders of text (Devlin et al. 2019; spec/models.md 4.8).
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/nn/bert_layers.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"

namespace snellen::models {
namespace {

class BertNetwork : public nn::NetworkBase, public TextEncoder {
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
    nn::TextBatchOptions batching = {.vocabulary = embeddings_.vocabulary(),
                                     .max_tokens = embeddings_.max_tokens(),
                                     .device = options().device(),
                                     .mask_type = c10::typeMetaToScalarType(options().dtype())};
    for (const nn::TextBatch& batch : nn::batches_of(texts, batching)) {
      Trace* shown = batch.places[0] == 0 ? trace : nullptr;
      at::Tensor x = nn::run_layers(layers_, embeddings_(batch.ids), batch, shown, "hidden");
      first.put(batch, x.select(1, 0));
      mean.put(batch, nn::mean_over_tokens(x, batch));
      if (pooler_) pooled.put(batch, at::tanh((*pooler_)(x.select(1, 0))));
    }
    return {.first = first.matrix(), .mean = mean.matrix(), .pooled = pooled.matrix()};
  }

 private:
  nn::BertEmbeddings embeddings_;
  std::vector<nn::PostNormBlock> layers_;
  std::optional<nn::Linear> pooler_;
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
