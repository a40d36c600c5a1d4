// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "snellen/models/nn/layers.h"
#include "snellen/models/nn/text_batch.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::nn {

// The product with the vocabulary. It is tied to the embeddings unless the file has one that
// differs from them (docs/spec/models.md 1.4).
struct LanguageHead {
  Linear linear;
  bool is_tied = true;

  // For NetworkFacts.
  std::vector<std::string> warnings() const;
};
LanguageHead language_head(Weights& weights, const std::string& name, const at::Tensor& embeddings);

// log p(token t | those before) of every text of a batch, into all[place]; entry 0 is 0. `states`
// [n, length, width] are the last ones; that at first_position + t - 1 predicts token t, so
// pictures may stand before the text. Only rows that predict a token are multiplied with the
// vocabulary, a few at a time; the softmax is in double (docs/spec/models.md 4.7).
void token_log_probabilities(const at::Tensor& states,
                             const Linear& head,
                             const TextBatch& batch,
                             int64_t first_position,
                             std::vector<std::vector<double>>& all);
// The same of texts that stand alone; `states_of` runs the decoder on a batch of them.
std::vector<std::vector<double>> text_log_probabilities(
    std::span<const TokenIds> texts,
    const TextBatchOptions& batching,
    const Linear& head,
    const std::function<at::Tensor(const TextBatch&)>& states_of);

}  // namespace snellen::models::nn
