// SPDX-License-Identifier: Apache-2.0
// X-CLIP's layers (Ni et al. 2022; docs/spec/models.md 3.6): CLIP over frames that exchange
// messages, and texts adapted to the clip they are compared with.
#pragma once

#include <vector>

#include "snellen/models/clip/towers.h"
#include "snellen/models/nn/block_weights.h"
#include "snellen/models/x_clip/prompts.h"

namespace snellen::models::x_clip {

struct FrameLayer {
  nn::Linear message;
  nn::LayerNorm message_norm;
  nn::SelfAttention message_attention;
  nn::PreNormBlock block;

  // x [clips * frames, tokens, width].
  at::Tensor operator()(const at::Tensor& x, int64_t num_frames) const;
};

struct Layers {
  int64_t width = 0;  // of embeddings
  int64_t num_frames = 0;
  nn::VisionTransformer vision;  // its own blocks are empty: frames have layers of another kind
  std::vector<FrameLayer> layers;
  nn::LayerNorm post_norm;
  nn::Linear projection;
  at::Tensor integration_positions;
  std::vector<nn::PreNormBlock> integration;
  clip::TextTower text;
  PromptGenerator prompts;

  // Frames after frames -> [clips, 1 + patches, width]: the clip's embedding, then its context.
  at::Tensor embed_clips(const at::Tensor& pixels, Trace* trace = nullptr) const;
};

Layers load_layers(nn::Weights& weights, const ConfigView& config);

}  // namespace snellen::models::x_clip
