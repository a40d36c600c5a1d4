// SPDX-License-Identifier: Apache-2.0
// X-CLIP: clips of a fixed number of frames.
#include <cmath>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/x_clip/layers.h"

namespace snellen::models {
namespace {

class XClipNetwork : public nn::NetworkBase, public VideoEncoder {
 public:
  XClipNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options);
    model_ = x_clip::load_layers(weights, checkpoint.config());
    scale_ = std::exp(weights.take_number("logit_scale"));
    settle(
        weights,
        {.family = "x_clip",
         .heads = {"itc"},
         .max_text_tokens = model_.text.max_tokens(),
         .image_size = model_.vision.image_size,
         .stamp = {{"frames", fmt::format("{}", model_.num_frames)},
                   {"activation", std::string(nn::name_of(model_.layers[0].block.mlp.activation))},
                   {"eps", fmt::format("{}", model_.post_norm.eps)},
                   {"scale", fmt::format("{}", scale_)}}});
  }

  const VideoEncoder* video() const override { return this; }
  int64_t num_frames() const override { return model_.num_frames; }

  Matrix embed_clips(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    if (pixels.count % num_frames() != 0) {
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format("{} frames are no whole number of clips of {}", pixels.count, num_frames())};
    }
    return nn::to_matrix(model_.embed_clips(pixels_of(pixels), trace));
  }

  Matrix embed_texts(std::span<const TokenIds> texts, Trace* trace) const override {
    c10::InferenceMode guard;
    return clip::embed_texts(model_.text, texts, options(), trace);
  }

  Matrix score(const Matrix& clips, const Matrix& texts, Trace* trace) const override {
    c10::InferenceMode guard;
    at::Tensor rows = nn::to_tensor(clips, options())
                          .view({static_cast<int64_t>(clips.num_rows), -1, model_.width});
    at::Tensor plain = nn::to_tensor(texts, options());
    std::vector<at::Tensor> scores, prompted;
    for (int64_t i = 0; i < rows.size(0); ++i) {
      at::Tensor adapted = nn::l2_normalized(
          model_.prompts(plain, rows[i].narrow(0, 1, rows.size(1) - 1)).to(at::kFloat));
      at::Tensor video = nn::l2_normalized(rows[i].narrow(0, 0, 1).to(at::kFloat));
      scores.push_back(nn::tiled_product(video, adapted) * scale_);
      if (trace) prompted.push_back(adapted);
    }
    if (trace) nn::record(trace, "prompted_text_embeds", at::stack(prompted));
    return nn::to_matrix(at::cat(scores));
  }

 private:
  x_clip::Layers model_;
  double scale_ = 0;
};

}  // namespace

std::unique_ptr<Architecture> make_x_clip();
std::unique_ptr<Architecture> make_x_clip() {
  return nn::architecture_of<XClipNetwork>({.family = "x_clip",
                                            .summary = "X-CLIP: clips of a fixed number of frames",
                                            .model_types = {"xclip"},
                                            .heads = {"itc"},
                                            .paper = "Ni et al. 2022"});
}

}  // namespace snellen::models
