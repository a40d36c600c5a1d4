// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "snellen/models/nn/attention.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::x_clip {

// Texts that look at a clip before they are compared with it.
struct PromptLayer {
  nn::LayerNorm norm1;
  nn::CrossAttention cross;
  nn::LayerNorm norm3;
  nn::Mlp mlp;
};

struct PromptGenerator {
  nn::LayerNorm patch_norm;
  nn::Linear patch_projection;
  nn::LayerNorm context_norm;
  std::vector<PromptLayer> layers;
  at::Tensor alpha;  // [width]

  // Patches of frames [n, patches, vision width] -> [n, patches, width].
  at::Tensor context(const at::Tensor& patches) const {
    return patch_projection(patch_norm(patches));
  }
  // What is added to texts [clips, n, width] when they look at contexts [clips, patches, width].
  at::Tensor adaptation(const at::Tensor& texts, const at::Tensor& contexts) const;
  // Texts [n, width] adapted to one clip's context [patches, width], 64 at a time so that a text's
  // bits depend on it alone.
  at::Tensor operator()(const at::Tensor& texts, const at::Tensor& context) const;
};

struct PromptShape {
  int64_t width = 0;
  int64_t vision_width = 0;
  double generator_eps = 1e-5;
  double layer_eps = 1e-5;
};

PromptGenerator load_prompts(nn::Weights& weights,
                             const ConfigView& config,
                             const PromptShape& shape);

}  // namespace snellen::models::x_clip
