// SPDX-License-Identifier: Apache-2.0
// OPT's stack (Zhang et al. 2022; docs/spec/models.md 4.7), for OPT itself and for BLIP-2.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "snellen/models/nn/blocks.h"
#include "snellen/models/nn/likelihood.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::opt {

struct Decoder {
  at::Tensor tokens;     // [vocabulary, embedding width]
  at::Tensor positions;  // [positions + 2, width]: position p is row p + 2
  std::optional<nn::Linear> project_in;
  std::optional<nn::Linear> project_out;
  // One of the two is filled: the 350m model puts its norms after the sums.
  std::vector<nn::PreNormBlock> pre_norm;
  std::vector<nn::PostNormBlock> post_norm;
  std::optional<nn::LayerNorm> final_norm;
  nn::LanguageHead head;

  int64_t vocabulary() const { return tokens.size(0); }
  int64_t max_tokens() const { return positions.size(0) - 2; }
  // Embeddings of tokens, without positions: [n, length, width].
  at::Tensor embed(const at::Tensor& ids) const;
  // From embeddings (positions are added here) to the states the head multiplies. Layers are traced
  // as "<tower>.K" for the first row and `traced_length` positions.
  at::Tensor operator()(const at::Tensor& embeddings,
                        Trace* trace,
                        std::string_view tower,
                        int64_t traced_length) const;
};

// `prefix` is "model.decoder." or "language_model.model.decoder.", `head` the head's own weight.
Decoder load_decoder(nn::Weights& weights,
                     const ConfigView& config,
                     const std::string& prefix,
                     const std::string& head);

}  // namespace snellen::models::opt
