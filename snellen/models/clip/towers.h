// SPDX-License-Identifier: Apache-2.0
// CLIP's two towers (Radford et al. 2021; docs/spec/models.md 3.1 and 3.2), shared by the folders
// of Hugging Face and of open_clip, by X-CLIP's text side and by training.
#pragma once

#include <span>
#include <vector>

#include "snellen/models/nn/block_weights.h"
#include "snellen/models/nn/text_batch.h"
#include "snellen/models/nn/vision_transformer.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::clip {

// Which position of a text stands for all of it.
struct Pooling {
  // Old files: the position of the largest id. Otherwise that of the first `eos_id`; a text without
  // one throws kInvalidInput.
  bool takes_largest_id = false;
  int64_t eos_id = 0;

  int64_t position(std::span<const int32_t> ids) const;
  // Of every row of a batch, on the host.
  at::Tensor positions(const nn::TextBatch& batch, std::span<const TokenIds> texts) const;
};

struct TextTower {
  at::Tensor token_embedding;     // [vocabulary, width]
  at::Tensor position_embedding;  // [positions, width]
  std::vector<nn::PreNormBlock> blocks;
  nn::LayerNorm final_norm;
  nn::Linear projection;
  Pooling pooling;

  int64_t vocabulary() const { return token_embedding.size(0); }
  int64_t max_tokens() const { return position_embedding.size(0); }
  // One row per text of the batch, after projection.
  at::Tensor operator()(const nn::TextBatch& batch,
                        std::span<const TokenIds> texts,
                        Trace* trace = nullptr) const;
  // The same of ids [n, length] and the positions [n] that stand for them: all on the device.
  at::Tensor at_positions(const at::Tensor& ids,
                          const at::Tensor& chosen,
                          Trace* trace = nullptr,
                          int64_t traced_length = 0) const;
};

struct VisionTower {
  nn::VisionTransformer transformer;
  nn::LayerNorm post_norm;
  nn::Linear projection;

  // One row per picture, after projection.
  at::Tensor operator()(const at::Tensor& pixels, Trace* trace, bool traces_after_norm) const;
};

// The text side of DualEncoder::embed_texts for any tower of this kind.
Matrix embed_texts(const TextTower& tower,
                   std::span<const TokenIds> texts,
                   const at::TensorOptions& options,
                   Trace* trace);

// The names inside a layer of Hugging Face's CLIP, SigLIP and X-CLIP.
extern const nn::BlockNames kBlockNames;

// Hugging Face names below "text_model." with `text_projection`.
TextTower load_text_tower(nn::Weights& weights,
                          const ConfigView& config,
                          int64_t projection_width,
                          int64_t default_eos);
// Hugging Face names below "vision_model." with `visual_projection`.
VisionTower load_vision_tower(nn::Weights& weights,
                              const ConfigView& config,
                              int64_t projection_width);

}  // namespace snellen::models::clip
