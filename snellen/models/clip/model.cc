// SPDX-License-Identifier: Apache-2.0
// CLIP in Hugging Face's layout, MetaCLIP included.
#include <cmath>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/clip/towers.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"

namespace snellen::models {
namespace {

class ClipNetwork : public nn::NetworkBase, public DualEncoder {
 public:
  ClipNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
    ConfigView config = checkpoint.config();
    int64_t width = config.positive("projection_dim", 512);
    vision_ = clip::load_vision_tower(weights, config.sub_with_twin("vision_config"), width);
    text_ = clip::load_text_tower(
        weights, config.sub_with_twin("text_config"), width, /*default_eos=*/49407);
    scale_ = std::exp(weights.take_number("logit_scale"));
    settle(weights,
           {.family = "clip",
            .heads = {"itc"},
            .max_text_tokens = text_.max_tokens(),
            .image_size = vision_.transformer.image_size,
            .stamp = {
                {"activation", std::string(nn::name_of(text_.blocks[0].mlp.activation))},
                {"eps", fmt::format("{}", text_.final_norm.eps)},
                {"pooling",
                 text_.pooling.takes_largest_id ? "largest id"
                                                : fmt::format("first id {}", text_.pooling.eos_id)},
                {"scale", fmt::format("{}", scale_)}}});
  }

  const DualEncoder* dual() const override { return this; }

  Matrix embed_images(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    return nn::to_matrix(run_tower(pixels, trace, [&](const at::Tensor& input) {
      return vision_(input, trace, /*traces_after_norm=*/false);
    }));
  }
  Matrix embed_texts(std::span<const TokenIds> texts, Trace* trace) const override {
    c10::InferenceMode guard;
    return clip::embed_texts(text_, texts, options(), trace);
  }
  Similarity similarity(std::string_view) const override { return {.scale = scale_}; }

 private:
  clip::VisionTower vision_;
  clip::TextTower text_;
  double scale_ = 0;
};

}  // namespace

std::unique_ptr<Architecture> make_clip();
std::unique_ptr<Architecture> make_clip() {
  return nn::architecture_of<ClipNetwork>({.family = "clip",
                                           .summary = "CLIP with a vision transformer, MetaCLIP",
                                           .model_types = {"clip"},
                                           .heads = {"itc"},
                                           .paper = "Radford et al. 2021"});
}

}  // namespace snellen::models
