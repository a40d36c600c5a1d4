// SPDX-License-Identifier: Apache-2.0
// The layers of BLIP for retrieval (Li et al. 2022; docs/spec/models.md 4.3): a text encoder that,
// layer by layer, also looks at the picture, and a contrastive head beside it.
#pragma once

#include <vector>

#include "snellen/models/blip/vision.h"
#include "snellen/models/nn/bert_layers.h"
#include "snellen/models/nn/text_batch.h"

namespace snellen::models::blip {

struct Retrieval {
  VisionTower vision;
  nn::BertEmbeddings embeddings;
  std::vector<nn::PostNormBlock> layers;
  nn::Linear itm_head;
  nn::Linear vision_projection;
  nn::Linear text_projection;

  nn::TextBatchOptions batching(const at::TensorOptions& options) const {
    return nn::batching_of(embeddings.vocabulary(), embeddings.max_tokens(), options);
  }
  // The pictures' tokens [n, tokens, width] as every layer's cross-attention wants them.
  std::vector<nn::KeysAndValues> remember(const at::Tensor& tokens) const;
  // [n, 2]: the logits of "does not match" and "matches". `seen` holds one picture for all texts of
  // the batch, or one for each.
  at::Tensor match(const nn::TextBatch& batch,
                   std::span<const nn::KeysAndValues> seen,
                   Trace* trace = nullptr) const;
  // Rows of the contrastive head, of the tokens of pictures and of texts that see none.
  at::Tensor embed_images(const at::Tensor& tokens) const {
    return vision_projection(tokens.select(1, 0));
  }
  at::Tensor embed_texts(const nn::TextBatch& batch) const;
};

Retrieval load_retrieval(nn::Weights& weights, const ConfigView& config);

}  // namespace snellen::models::blip
