// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "snellen/models/network.h"
#include "snellen/models/nn/blocks.h"

namespace snellen::models::nn {

// Patches, positions and pre-norm layers: the vision tower of CLIP, open_clip, SigLIP, BLIP,
// BLIP-2, FLAVA and BridgeTower. What is absent in a family stays undefined.
struct VisionTransformer {
  PatchEmbedding patches;
  at::Tensor class_token;  // [width], or undefined
  at::Tensor positions;    // [tokens, width]
  std::optional<LayerNorm> pre_norm;
  std::vector<PreNormBlock> blocks;
  int64_t image_size = 0;

  // The class token's state after the last layer: [n, width].
  at::Tensor pooled(const at::Tensor& pixels, Trace* trace, bool traces_after_norm) const;
  // Class token first, then patches row by row, positions added: [n, tokens, width].
  at::Tensor embed(const at::Tensor& pixels) const;
  // The states after the last layer. Layers are traced as "<tower>.K", with tower.0 before the
  // pre-norm, or after it where `traces_after_norm`.
  at::Tensor operator()(const at::Tensor& pixels,
                        Trace* trace = nullptr,
                        std::string_view tower = "vision",
                        bool traces_after_norm = false) const;

 private:
  at::Tensor first_states(const at::Tensor& pixels,
                          Trace* trace,
                          std::string_view tower,
                          bool traces_after_norm) const;
};

// Layers one after the other, traced as "<tower>.1" and on for the first row alone.
at::Tensor run_blocks(std::span<const PreNormBlock> blocks,
                      at::Tensor x,
                      const AttentionMask& mask,
                      Trace* trace,
                      std::string_view tower,
                      int64_t traced_length = 0);

// The states of one token of each row after the last layer, [n, width]: all that a pooled tower
// needs. The last layer is computed for those tokens alone, but for a trace, which sees all.
// `chosen` is [n] int64; undefined for the first token.
at::Tensor run_blocks_pooled(std::span<const PreNormBlock> blocks,
                             const at::Tensor& x,
                             const AttentionMask& mask,
                             const at::Tensor& chosen,
                             Trace* trace,
                             std::string_view tower,
                             int64_t traced_length = 0);

}  // namespace snellen::models::nn
