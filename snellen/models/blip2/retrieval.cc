// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/blip2/networks.h"
#include "snellen/models/blip2/qformer.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/nn/seen_images.h"
#include "snellen/models/pooled_trace.h"

namespace snellen::models::blip2 {
namespace {

constexpr int64_t kProcessorTokens =
    32;  // the reference cuts texts there (docs/spec/models.md 2.2)

struct RetrievalImage {
  QFormerContext context;
};

class RetrievalNetwork : public nn::NetworkBase, public PairScorer, public DualEncoder {
 public:
  RetrievalNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
    ConfigView config = checkpoint.config();
    vision_ = blip::load_vision(weights, config.sub("vision_config"), kVisionDefaults);
    ConfigView qformer = config.sub("qformer_config");
    int64_t num_queries = config.positive("num_query_tokens", 32);
    qformer_ = load_qformer(weights, qformer, num_queries, vision_.width(), /*has_text=*/true);
    load_ends(weights, qformer, config.positive("image_text_hidden_size", 256));
    settle(weights,
           {.family = "blip2",
            .heads = {"itm", "itc"},
            .max_text_tokens = std::min(kProcessorTokens, positions_.size(0)),
            .image_size = vision_.transformer.image_size,
            .stamp = {{"eps", fmt::format("{}", qformer_.norm.eps)},
                      {"vision eps", fmt::format("{}", vision_.post_norm.eps)},
                      {"pooling", "itm: mean over queries; itc: largest over queries"}}});
  }

  const PairScorer* pair() const override { return this; }
  const DualEncoder* dual() const override { return this; }
  size_t score_column() const override { return 1; }

  SeenImages see(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    at::Tensor tokens = vision_(pixels_of(pixels), trace);
    return nn::seen_images(tokens.size(0), [&](int64_t i) {
      return RetrievalImage{.context = qformer_.remember(tokens.narrow(0, i, 1))};
    });
  }

  Matrix match(const SeenImage& image,
               std::span<const TokenIds> texts,
               Trace* trace) const override {
    c10::InferenceMode guard;
    const auto& seen = nn::state_of<RetrievalImage>(image);
    int64_t num_queries = qformer_.num_queries();
    return nn::rows_by_text(
        texts, batching(), trace, [&](const nn::TextBatch& batch, Trace* shown) {
          at::Tensor queries = qformer_.queries.expand({batch.size(), num_queries, -1});
          at::Tensor hidden;
          if (batch.hidden_keys.defined())
            hidden = at::constant_pad_nd(batch.hidden_keys, {num_queries, 0});
          at::Tensor x = qformer_(at::cat({queries, embed(batch)}, 1),
                                  num_queries,
                                  hidden,
                                  &seen.context,
                                  shown,
                                  num_queries + batch.lengths[0]);
          const at::Tensor seen_queries = x.narrow(1, 0, num_queries);
          // The head is linear: the mean of its answers is its answer to the mean.
          if (shown) nn::record(shown, kPooledTrace, seen_queries.mean(1).narrow(0, 0, 1));
          return itm_head_(seen_queries).mean(1);
        });
  }

  Matrix embed_images(const PixelsView& pixels, Trace*) const override {
    c10::InferenceMode guard;
    at::Tensor tokens = vision_(pixels_of(pixels), nullptr);
    at::Tensor queries = qformer_.look(qformer_.remember(tokens), tokens.size(0), nullptr);
    return nn::to_matrix(nn::l2_normalized(vision_projection_(queries)));
  }
  Matrix embed_texts(std::span<const TokenIds> texts, Trace*) const override {
    c10::InferenceMode guard;
    return nn::rows_by_text(texts, batching(), nullptr, [&](const nn::TextBatch& batch, Trace*) {
      at::Tensor x = qformer_(embed(batch), /*num_queries=*/0, batch.hidden_keys, nullptr);
      return nn::l2_normalized(text_projection_(x.select(1, 0)));
    });
  }
  Similarity similarity(std::string_view) const override {
    return {.image_vectors = static_cast<size_t>(qformer_.num_queries())};
  }

 private:
  // What stands around the Q-Former is in its type: the embeddings of texts and the heads.
  void load_ends(nn::Weights& weights, const ConfigView& qformer, int64_t joint) {
    nn::Weights::InFloat in_float(weights);
    int64_t width = qformer_.queries.size(2);
    words_ = weights.take("embeddings.word_embeddings.weight",
                          {qformer.positive("vocab_size", 30522), width});
    positions_ = weights.take("embeddings.position_embeddings.weight",
                              {qformer.positive("max_position_embeddings", 512), width});
    itm_head_ = weights.linear("itm_head", 2, width);
    vision_projection_ = weights.linear("vision_projection", joint, width);
    text_projection_ = weights.linear("text_projection", joint, width);
  }

  at::Tensor embed(const nn::TextBatch& batch) const {
    at::Tensor places = nn::positions_of(batch.length(), positions_.size(0), options().device());
    return at::embedding(words_, batch.ids) + at::embedding(positions_, places);
  }
  nn::TextBatchOptions batching() const {
    return nn::batching_of(words_.size(0), positions_.size(0), options().dtype(at::kFloat));
  }

  blip::VisionTower vision_;
  QFormer qformer_;
  at::Tensor words_;
  at::Tensor positions_;
  nn::Linear itm_head_;
  nn::Linear vision_projection_;
  nn::Linear text_projection_;
};

}  // namespace

std::unique_ptr<Network> load_retrieval(const Checkpoint& checkpoint,
                                        const NetworkOptions& options) {
  return std::make_unique<RetrievalNetwork>(checkpoint, options);
}

}  // namespace snellen::models::blip2
