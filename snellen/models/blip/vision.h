// SPDX-License-Identifier: Apache-2.0
// The vision tower of BLIP and BLIP-2: a ViT whose attention has one qkv product.
#pragma once

#include "snellen/models/nn/vision_transformer.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::blip {

struct VisionDefaults {
  int64_t width = 768;
  int64_t mlp_width = 3072;
  int64_t num_layers = 12;
  int64_t num_heads = 12;
  int64_t patch = 16;
  int64_t image_size = 384;
  double eps = 1e-5;
};

struct VisionTower {
  nn::VisionTransformer transformer;
  nn::LayerNorm post_norm;

  int64_t width() const { return post_norm.weight.size(0); }
  // All tokens, normed: [n, 1 + patches, width].
  at::Tensor operator()(const at::Tensor& pixels, Trace* trace) const {
    return post_norm(transformer(pixels, trace));
  }
};

// Names below "vision_model.".
VisionTower load_vision(nn::Weights& weights,
                        const ConfigView& config,
                        const VisionDefaults& defaults);

}  // namespace snellen::models::blip
