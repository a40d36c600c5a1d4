// SPDX-License-Identifier: Apache-2.0
// A picture as the first tokens of OPT (spec/models.md 4.5).
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/models/blip2/networks.h"
#include "snellen/models/blip2/qformer.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/likelihood.h"
#include "snellen/models/opt/decoder.h"

namespace snellen::models::blip2 {
namespace {

struct LanguageImage : SeenImage {
  at::Tensor queries;  // [1, queries, width of the language model]
};

class LanguageNetwork : public Network, public LanguageModel {
 public:
  LanguageNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
    options_ = weights.options();
    ConfigView config = checkpoint.config();
    vision_ = blip::load_vision(weights, config.sub("vision_config"), kVisionDefaults);
    qformer_ = load_qformer(weights,
                            config.sub("qformer_config"),
                            config.positive("num_query_tokens", 32),
                            vision_.width(),
                            /*has_text=*/false);
    decoder_ = opt::load_decoder(weights,
                                 config.sub("text_config"),
                                 "language_model.model.decoder.",
                                 "language_model.lm_head.weight");
    projection_ =
        weights.linear("language_projection", decoder_.positions.size(1), qformer_.queries.size(2));
    unused_ = weights.unused();
    facts_ = {.family = "blip2",
              .heads = {"likelihood"},
              .max_text_tokens = decoder_.max_tokens() - qformer_.num_queries(),
              .image_size = vision_.transformer.image_size,
              .pads_texts = false,
              .stamp = {{"eps", fmt::format("{}", qformer_.norm.eps)},
                        {"vision eps", fmt::format("{}", vision_.post_norm.eps)},
                        {"language model", "opt"}}};
  }

  const NetworkFacts& facts() const override { return facts_; }
  const LanguageModel* language() const override { return this; }
  std::span<const std::string> unused_weights() const override { return unused_; }

  std::vector<std::shared_ptr<const SeenImage>> see(const PixelsView& pixels,
                                                    Trace* trace) const override {
    c10::InferenceMode guard;
    int64_t size = facts_.image_size;
    at::Tensor tokens = vision_(nn::to_tensor(pixels, options_, size, size), trace);
    at::Tensor queries =
        projection_(qformer_.look(qformer_.remember(tokens), tokens.size(0), trace));
    nn::record(trace, "query_embeds", queries);
    std::vector<std::shared_ptr<const SeenImage>> seen;
    for (int64_t i = 0; i < queries.size(0); ++i) {
      auto image = std::make_shared<LanguageImage>();
      image->queries = queries.narrow(0, i, 1).clone();
      seen.push_back(std::move(image));
    }
    return seen;
  }

  std::vector<std::vector<double>> log_probabilities(std::span<const TokenIds> texts,
                                                     const SeenImage* image,
                                                     Trace* trace) const override {
    c10::InferenceMode guard;
    if (!image) throw Error{ErrorCode::kUsage, "BLIP-2 scores a text with a picture"};
    const at::Tensor& queries = dynamic_cast<const LanguageImage&>(*image).queries;
    int64_t num_queries = queries.size(1);
    std::vector<std::vector<double>> all(texts.size());
    nn::TextBatchOptions batching = {.pad_id = 1,
                                     .vocabulary = decoder_.vocabulary(),
                                     .max_tokens = facts_.max_text_tokens,
                                     .device = options_.device()};
    for (const nn::TextBatch& batch : nn::batches_of(texts, batching)) {
      at::Tensor prefix = queries.expand({batch.size(), num_queries, queries.size(2)});
      at::Tensor x = decoder_(at::cat({prefix, decoder_.embed(batch.ids)}, 1),
                              batch.places[0] == 0 ? trace : nullptr,
                              "lm",
                              num_queries + batch.lengths[0]);
      nn::token_log_probabilities(x, decoder_.head, batch, num_queries, all);
    }
    return all;
  }

 private:
  blip::VisionTower vision_;
  QFormer qformer_;
  nn::Linear projection_;
  opt::Decoder decoder_;
  at::TensorOptions options_;
  NetworkFacts facts_;
  std::vector<std::string> unused_;
};

}  // namespace

std::unique_ptr<Network> load_language(const Checkpoint& checkpoint,
                                       const NetworkOptions& options) {
  return std::make_unique<LanguageNetwork>(checkpoint, options);
}

}  // namespace snellen::models::blip2
