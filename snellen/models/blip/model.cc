// SPDX-License-Identifier: Apache-2.0
// BLIP for retrieval: pictures are seen once for all their texts.
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/blip/retrieval.h"
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
    blip_ = blip::load_retrieval(weights, checkpoint.config());
    settle(weights,
           {.family = "blip",
            .heads = {"itm", "itc"},
            .max_text_tokens = blip_.embeddings.max_tokens(),
            .image_size = blip_.vision.transformer.image_size,
            .stamp = {{"activation", std::string(nn::name_of(blip_.layers[0].mlp.activation))},
                      {"eps", fmt::format("{}", blip_.embeddings.norm.eps)},
                      {"vision eps", fmt::format("{}", blip_.vision.post_norm.eps)},
                      {"pooling", "first token"}}});
  }

  const PairScorer* pair() const override { return this; }
  const DualEncoder* dual() const override { return this; }
  size_t score_column() const override { return 1; }

  SeenImages see(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    at::Tensor tokens = run_tower(
        pixels, trace, [&](const at::Tensor& input) { return blip_.vision(input, trace); });
    return nn::seen_images(tokens.size(0), [&](int64_t i) {
      return BlipImage{.layers = blip_.remember(tokens.narrow(0, i, 1))};
    });
  }

  Matrix match(const SeenImage& image,
               std::span<const TokenIds> texts,
               Trace* trace) const override {
    c10::InferenceMode guard;
    const auto& seen = nn::state_of<BlipImage>(image);
    return nn::rows_by_text(
        texts, blip_.batching(options()), trace, [&](const nn::TextBatch& batch, Trace* shown) {
          return blip_.match(batch, seen.layers, shown);
        });
  }

  Matrix embed_images(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    return nn::to_matrix(blip_.embed_images(blip_.vision(pixels_of(pixels), trace)));
  }
  Matrix embed_texts(std::span<const TokenIds> texts, Trace*) const override {
    c10::InferenceMode guard;
    return nn::rows_by_text(
        texts, blip_.batching(options()), nullptr, [&](const nn::TextBatch& batch, Trace*) {
          return blip_.embed_texts(batch);
        });
  }
  Similarity similarity(std::string_view) const override { return {}; }

 private:
  blip::Retrieval blip_;
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
