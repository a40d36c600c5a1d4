// SPDX-License-Identifier: Apache-2.0
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/blip2/networks.h"
#include "snellen/models/blip2/qformer.h"
#include "snellen/models/nn/convert.h"

namespace snellen::models::blip2 {
namespace {

struct RetrievalImage : SeenImage {
  QFormerContext context;
};

class RetrievalNetwork : public Network, public PairScorer, public DualEncoder {
 public:
  RetrievalNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
    options_ = weights.options();
    ConfigView config = checkpoint.config();
    vision_ = blip::load_vision(weights, config.sub("vision_config"), kVisionDefaults);
    ConfigView qformer = config.sub("qformer_config");
    int64_t num_queries = config.positive("num_query_tokens", 32);
    qformer_ = load_qformer(weights, qformer, num_queries, vision_.width(), /*has_text=*/true);
    int64_t width = qformer_.queries.size(2);
    words_ = weights.take("embeddings.word_embeddings.weight",
                          {qformer.positive("vocab_size", 30522), width});
    positions_ = weights.take("embeddings.position_embeddings.weight",
                              {qformer.positive("max_position_embeddings", 512), width});
    int64_t joint = config.positive("image_text_hidden_size", 256);
    itm_head_ = weights.linear("itm_head", 2, width);
    vision_projection_ = weights.linear("vision_projection", joint, width);
    text_projection_ = weights.linear("text_projection", joint, width);
    unused_ = weights.unused();
    facts_ = {.family = "blip2",
              .heads = {"itm", "itc"},
              .max_text_tokens = positions_.size(0),
              .image_size = vision_.transformer.image_size,
              .pads_texts = false,
              .stamp = {{"eps", fmt::format("{}", qformer_.norm.eps)},
                        {"vision eps", fmt::format("{}", vision_.post_norm.eps)},
                        {"pooling", "itm: mean over queries; itc: largest over queries"}}};
  }

  const NetworkFacts& facts() const override { return facts_; }
  const PairScorer* pair() const override { return this; }
  const DualEncoder* dual() const override { return this; }
  std::span<const std::string> unused_weights() const override { return unused_; }
  size_t score_column() const override { return 1; }

  std::vector<std::shared_ptr<const SeenImage>> see(const PixelsView& pixels,
                                                    Trace* trace) const override {
    c10::InferenceMode guard;
    at::Tensor tokens = vision_(pixels_of(pixels), trace);
    std::vector<std::shared_ptr<const SeenImage>> seen;
    for (int64_t i = 0; i < tokens.size(0); ++i) {
      auto image = std::make_shared<RetrievalImage>();
      image->context = qformer_.remember(tokens.narrow(0, i, 1));
      seen.push_back(std::move(image));
    }
    return seen;
  }

  Matrix match(const SeenImage& image,
               std::span<const TokenIds> texts,
               Trace* trace) const override {
    c10::InferenceMode guard;
    const auto& seen = dynamic_cast<const RetrievalImage&>(image);
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
          return itm_head_(x.narrow(1, 0, num_queries)).mean(1);
        });
  }

  Matrix embed_images(const PixelsView& pixels, Trace*) const override {
    c10::InferenceMode guard;
    at::Tensor tokens = vision_(pixels_of(pixels), nullptr);
    at::Tensor queries = qformer_.look(qformer_.remember(tokens), tokens.size(0), nullptr);
    return nn::to_matrix(nn::l2_normalized(vision_projection_(queries).to(at::kFloat)));
  }
  Matrix embed_texts(std::span<const TokenIds> texts, Trace*) const override {
    c10::InferenceMode guard;
    return nn::rows_by_text(texts, batching(), nullptr, [&](const nn::TextBatch& batch, Trace*) {
      at::Tensor x = qformer_(embed(batch), /*num_queries=*/0, batch.hidden_keys, nullptr);
      return nn::l2_normalized(text_projection_(x.select(1, 0)).to(at::kFloat));
    });
  }
  Matrix score(const Matrix& images, const Matrix& texts, std::string_view) const override {
    c10::InferenceMode guard;
    at::TensorOptions options = options_.dtype(at::kFloat);
    auto width = static_cast<int64_t>(texts.num_columns);
    at::Tensor queries = nn::to_tensor(images, options).reshape({-1, width});
    at::Tensor cosines = nn::tiled_product(queries, nn::to_tensor(texts, options));
    return nn::to_matrix(
        cosines.view({static_cast<int64_t>(images.num_rows), -1, cosines.size(1)}).amax(1));
  }

 private:
  at::Tensor pixels_of(const PixelsView& pixels) const {
    return nn::to_tensor(pixels, options_, facts_.image_size, facts_.image_size);
  }
  at::Tensor embed(const nn::TextBatch& batch) const {
    at::Tensor places = nn::positions_of(batch.length(), positions_.size(0), options_.device());
    return at::embedding(words_, batch.ids) + at::embedding(positions_, places);
  }
  nn::TextBatchOptions batching() const {
    return nn::batching_of(words_.size(0), positions_.size(0), options_);
  }

  blip::VisionTower vision_;
  QFormer qformer_;
  at::Tensor words_;
  at::Tensor positions_;
  nn::Linear itm_head_;
  nn::Linear vision_projection_;
  nn::Linear text_projection_;
  at::TensorOptions options_;
  NetworkFacts facts_;
  std::vector<std::string> unused_;
};

}  // namespace

std::unique_ptr<Network> load_retrieval(const Checkpoint& checkpoint,
                                        const NetworkOptions& options) {
  return std::make_unique<RetrievalNetwork>(checkpoint, options);
}

}  // namespace snellen::models::blip2
