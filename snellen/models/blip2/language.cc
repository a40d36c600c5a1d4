// SPDX-License-Identifier: Apache-2.0
// A picture as the first tokens of OPT (docs/spec/models.md 4.5).
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/models/blip2/networks.h"
#include "snellen/models/blip2/qformer.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/likelihood.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/nn/seen_images.h"
#include "snellen/models/opt/decoder.h"

namespace snellen::models::blip2 {
namespace {

struct LanguageImage {
  at::Tensor queries;  // [1, queries, width of the language model]
};

class LanguageNetwork : public nn::NetworkBase, public LanguageModel {
 public:
  LanguageNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
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
    settle(weights,
           {.family = "blip2",
            .heads = {"likelihood"},
            .max_text_tokens = decoder_.max_tokens() - qformer_.num_queries(),
            .image_size = vision_.transformer.image_size,
            .stamp = {{"eps", fmt::format("{}", qformer_.norm.eps)},
                      {"vision eps", fmt::format("{}", vision_.post_norm.eps)},
                      {"language model", "opt"}},
            .warnings = decoder_.head.warnings()});
  }

  const LanguageModel* language() const override { return this; }

  SeenImages see(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    at::Tensor tokens = vision_(pixels_of(pixels), trace);
    at::Tensor queries =
        projection_(qformer_.look(qformer_.remember(tokens), tokens.size(0), trace).to(options()));
    nn::record(trace, "query_embeds", queries);
    return nn::seen_images(queries.size(0), [&](int64_t i) {
      return LanguageImage{.queries = queries.narrow(0, i, 1).clone()};
    });
  }

  std::vector<std::vector<double>> log_probabilities(std::span<const TokenIds> texts,
                                                     const SeenImage* image,
                                                     Trace* trace) const override {
    c10::InferenceMode guard;
    if (!image) throw Error{ErrorCode::kUsage, "BLIP-2 scores a text with a picture"};
    const at::Tensor& queries = nn::state_of<LanguageImage>(*image).queries;
    int64_t num_queries = queries.size(1);
    std::vector<std::vector<double>> all(texts.size());
    nn::TextBatchOptions batching = {.pad_id = 1,
                                     .vocabulary = decoder_.vocabulary(),
                                     .max_tokens = facts().max_text_tokens,
                                     .device = options().device()};
    for (const nn::TextBatch& batch : nn::batches_of(texts, batching)) {
      at::Tensor prefix = queries.expand({batch.size(), num_queries, queries.size(2)});
      at::Tensor x = decoder_(at::cat({prefix, decoder_.embed(batch.ids)}, 1),
                              batch.places[0] == 0 ? trace : nullptr,
                              "lm",
                              num_queries + batch.lengths[0]);
      nn::token_log_probabilities(x, decoder_.head.linear, batch, num_queries, all);
    }
    return all;
  }

 private:
  blip::VisionTower vision_;
  QFormer qformer_;
  nn::Linear projection_;
  opt::Decoder decoder_;
};

}  // namespace

std::unique_ptr<Network> load_language(const Checkpoint& checkpoint,
                                       const NetworkOptions& options) {
  return std::make_unique<LanguageNetwork>(checkpoint, options);
}

}  // namespace snellen::models::blip2
