// SPDX-License-Identifier: Apache-2.0
// GPT-2's layers (Radford et al. 2019; docs/spec/models.md 4.6), for likelihoods and for training.
#pragma once

#include <vector>

#include "snellen/models/nn/likelihood.h"
#include "snellen/models/nn/text_batch.h"
#include "snellen/models/nn/vision_transformer.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::gpt2 {

struct Decoder {
  at::Tensor tokens;     // [vocabulary, width]
  at::Tensor positions;  // [positions, width]
  std::vector<nn::PreNormBlock> blocks;
  nn::LayerNorm final_norm;
  nn::LanguageHead head;

  // The last states of a batch, [n, length, width], normed. The first text is traced.
  at::Tensor operator()(const nn::TextBatch& batch, Trace* trace = nullptr) const;
};

// Weights are stored [in, out].
Decoder load_decoder(nn::Weights& weights, const ConfigView& config);

}  // namespace snellen::models::gpt2
