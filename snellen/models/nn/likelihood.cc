// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/likelihood.h"

#include <algorithm>

#include <c10/core/InferenceMode.h>

namespace snellen::models::nn {
namespace {

// Rows of logits held at once: 64 x 50,000 doubles are 25 MB.
constexpr size_t kRows = 64;

struct Target {
  size_t place;   // of the text
  int64_t token;  // within the text
  int64_t row;    // of the state that predicts it
  int64_t id;
};

std::vector<Target> targets_of(const TextBatch& batch, int64_t length, int64_t first_position) {
  std::vector<Target> targets;
  at::Tensor ids = batch.ids.cpu();
  auto id = ids.accessor<int64_t, 2>();
  for (int64_t row = 0; row < batch.size(); ++row) {
    for (int64_t t = 1; t < batch.lengths[static_cast<size_t>(row)]; ++t)
      targets.push_back({batch.places[static_cast<size_t>(row)],
                         t,
                         row * length + first_position + t - 1,
                         id[row][t]});
  }
  return targets;
}

}  // namespace

std::vector<std::string> LanguageHead::warnings() const {
  if (is_tied) return {};
  return {"the file's lm_head differs from the embeddings it is tied to; lm_head is used"};
}

LanguageHead language_head(Weights& weights,
                           const std::string& name,
                           const at::Tensor& embeddings) {
  LanguageHead head{.linear = {.weight = embeddings, .bias = {}}};
  if (!weights.has(name)) return head;
  at::Tensor own = weights.take(name, {embeddings.size(0), embeddings.size(1)});
  head.is_tied = at::equal(own, embeddings);
  if (!head.is_tied) head.linear.weight = own;
  return head;
}

void token_log_probabilities(const at::Tensor& states,
                             const Linear& head,
                             const TextBatch& batch,
                             int64_t first_position,
                             std::vector<std::vector<double>>& all) {
  for (size_t row = 0; row < batch.places.size(); ++row)
    all[batch.places[row]].assign(static_cast<size_t>(batch.lengths[row]), 0.0);
  std::vector<Target> targets = targets_of(batch, states.size(1), first_position);
  at::Tensor flat = states.reshape({-1, states.size(2)});
  for (size_t begin = 0; begin < targets.size(); begin += kRows) {
    std::span<const Target> part =
        std::span(targets).subspan(begin, std::min(kRows, targets.size() - begin));
    std::vector<int64_t> rows, ids;
    for (const Target& target : part) {
      rows.push_back(target.row);
      ids.push_back(target.id);
    }
    at::Tensor chosen = at::tensor(rows, at::kLong).to(states.device());
    at::Tensor wanted = at::tensor(ids, at::kLong).to(states.device()).unsqueeze(1);
    at::Tensor logits = head(flat.index_select(0, chosen)).to(at::kDouble);
    at::Tensor values = (logits.gather(1, wanted).squeeze(1) - logits.logsumexp(1)).cpu();
    auto value = values.accessor<double, 1>();
    for (size_t i = 0; i < part.size(); ++i)
      all[part[i].place][static_cast<size_t>(part[i].token)] = value[static_cast<int64_t>(i)];
  }
}

std::vector<std::vector<double>> text_log_probabilities(
    std::span<const TokenIds> texts,
    const TextBatchOptions& batching,
    const Linear& head,
    const std::function<at::Tensor(const TextBatch&)>& states_of) {
  c10::InferenceMode guard;
  std::vector<std::vector<double>> all(texts.size());
  for (const TextBatch& batch : batches_of(texts, batching))
    token_log_probabilities(states_of(batch), head, batch, /*first_position=*/0, all);
  return all;
}

}  // namespace snellen::models::nn
