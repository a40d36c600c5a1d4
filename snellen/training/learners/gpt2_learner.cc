// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/gpt2_learner.h"

#include "snellen/models/gpt2/decoder.h"
#include "snellen/training/learners/losses.h"

namespace snellen::training {
namespace {

constexpr const char* kPrefix = "transformer.";

}  // namespace

Gpt2Learner::Gpt2Learner(const std::filesystem::path& folder,
                         const LearnerOptions& options,
                         dist::Group& group)
    : LearnerBase(folder, options, group) {
  models::nn::Weights from = weights(kPrefix);
  models::gpt2::load_decoder(from, config());
  settle();
}

at::Tensor Gpt2Learner::loss(const Batch& batch) {
  models::nn::Weights from = weights(kPrefix);
  models::gpt2::Decoder decoder = models::gpt2::load_decoder(from, config());
  models::nn::TextBatch tokens =
      texts(batch.texts, decoder.tokens.size(0), decoder.positions.size(0));
  at::Tensor logits = decoder.head.linear(decoder(tokens)).to(at::kFloat);
  at::Tensor lengths = at::tensor(tokens.lengths, at::kLong).to(logits.device());
  return language_loss(logits, tokens.ids, lengths);
}

std::vector<LossPart> Gpt2Learner::add_gradients(const Batch& batch, double share) {
  at::Tensor total = loss(batch);
  (total * (share / group().size())).backward();
  return {{"loss", total.item<double>()}};
}

Evaluation Gpt2Learner::evaluate_now(const Batch& batch) {
  return {.loss = loss(batch).item<double>(), .matches = {}, .contrasts = {}};
}

}  // namespace snellen::training
