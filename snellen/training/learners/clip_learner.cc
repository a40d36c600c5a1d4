// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/clip_learner.h"

#include <algorithm>
#include <functional>

#include <ATen/core/grad_mode.h>

#include "snellen/base/error.h"

namespace snellen::training {
namespace {

using models::nn::l2_normalized;

// Calls `work` for pieces of at most `chunk` of `count`.
void in_chunks(int64_t count, int64_t chunk, const std::function<void(int64_t, int64_t)>& work) {
  int64_t step = chunk > 0 ? chunk : count;
  for (int64_t first = 0; first < count; first += step) work(first, std::min(step, count - first));
}

}  // namespace

ClipLearner::ClipLearner(const std::filesystem::path& folder,
                         const LearnerOptions& options,
                         dist::Group& group)
    : LearnerBase(folder, options, group) {
  vision_tower();
  models::clip::TextTower text = text_tower();
  vocabulary_ = text.vocabulary();
  max_tokens_ = text.max_tokens();
  pooling_ = text.pooling;
  logit_scale();
  settle();
  visual_pass_.emplace(moving(), tensors().device());
  text_pass_.emplace(moving(), tensors().device());
}

models::clip::VisionTower ClipLearner::vision_tower() {
  models::nn::Weights from = weights();
  return models::clip::load_vision_tower(
      from, config().sub_with_twin("vision_config"), config().positive("projection_dim", 512));
}

models::clip::TextTower ClipLearner::text_tower() {
  models::nn::Weights from = weights();
  return models::clip::load_text_tower(from,
                                       config().sub_with_twin("text_config"),
                                       config().positive("projection_dim", 512),
                                       /*default_eos=*/49407);
}

at::Tensor ClipLearner::visual_rows(const models::clip::VisionTower& tower,
                                    const at::Tensor& bytes) const {
  return tower(normalized(bytes), nullptr, /*traces_after_norm=*/false).to(at::kFloat);
}

ClipLearner::Tokens ClipLearner::tokens(const Batch& batch, int64_t first, int64_t count) const {
  std::span<const models::TokenIds> part =
      std::span(batch.texts).subspan(static_cast<size_t>(first), static_cast<size_t>(count));
  models::nn::TextBatch padded = texts(part, vocabulary_, max_tokens_, at::kCPU);
  return {.ids = padded.ids, .chosen = pooling_.positions(padded, part)};
}

ClipLearner::Embedded ClipLearner::embedded(const Batch& batch) {
  at::NoGradGuard guard;
  at::Device device = tensors().device();
  models::clip::VisionTower vision = vision_tower();
  models::clip::TextTower text = text_tower();
  std::vector<at::Tensor> visuals, rows;
  in_chunks(batch.num_visuals, options().chunk, [&](int64_t first, int64_t count) {
    visuals.push_back(visual_rows(vision, picture_bytes(batch, first, count).to(device)));
  });
  in_chunks(std::ssize(batch.texts), options().chunk, [&](int64_t first, int64_t count) {
    Tokens part = tokens(batch, first, count);
    rows.push_back(text.at_positions(part.ids.to(device), part.chosen.to(device)).to(at::kFloat));
  });
  return {.visuals = at::cat(visuals), .texts = at::cat(rows)};
}

at::Tensor ClipLearner::pass_visuals(const Batch& batch, int64_t first, int64_t count) {
  return visual_pass_->forward({picture_bytes(batch, first, count)},
                               [this](const std::vector<at::Tensor>& inputs) {
                                 return visual_rows(vision_tower(), inputs[0]);
                               });
}

at::Tensor ClipLearner::pass_texts(const Batch& batch, int64_t first, int64_t count) {
  Tokens part = tokens(batch, first, count);
  return text_pass_->forward(
      {part.ids, part.chosen}, [this](const std::vector<at::Tensor>& inputs) {
        return text_tower().at_positions(inputs[0], inputs[1]).to(at::kFloat);
      });
}

void ClipLearner::backpropagate(const Batch& batch, const Embedded& gradients) {
  in_chunks(batch.num_visuals, options().chunk, [&](int64_t first, int64_t count) {
    pass_visuals(batch, first, count);
    visual_pass_->backward(gradients.visuals.narrow(0, first, count));
  });
  in_chunks(std::ssize(batch.texts), options().chunk, [&](int64_t first, int64_t count) {
    pass_texts(batch, first, count);
    text_pass_->backward(gradients.texts.narrow(0, first, count));
  });
}

std::vector<LossPart> ClipLearner::add_gradients(const Batch& batch, double share) {
  bool is_cached = options().chunk > 0 && (options().chunk < batch.num_visuals ||
                                           options().chunk < std::ssize(batch.texts));
  Embedded rows;
  if (is_cached) {
    rows = embedded(batch);
  } else {
    // While a device reads, the pictures travel there.
    rows.texts = pass_texts(batch, 0, std::ssize(batch.texts));
    rows.visuals = pass_visuals(batch, 0, batch.num_visuals);
  }
  // The loss is that of the whole group; each member sends back the gradients of its own rows.
  at::Tensor visuals = gathered(rows.visuals).requires_grad_();
  at::Tensor texts = gathered(rows.texts).requires_grad_();
  Pairs pairs = gathered_pairs(batch, group(), visuals.device());
  at::Tensor cosines = l2_normalized(visuals).matmul(l2_normalized(texts).t());
  // Every member computes the scale's whole gradient, and they are added up.
  double members = group().size();
  at::Tensor scale = logit_scale();
  if (members > 1) scale = scale / members + (scale * (1 - 1 / members)).detach();
  PairLoss loss = pair_loss(cosines, scale.exp(), pairs, options());
  (loss.total * share).backward();
  Embedded gradients = {
      .visuals = visuals.grad().narrow(0, group().rank() * batch.num_visuals, batch.num_visuals),
      .texts = texts.grad().narrow(
          0, group().rank() * std::ssize(batch.texts), std::ssize(batch.texts))};
  if (is_cached) {
    backpropagate(batch, gradients);
  } else {
    visual_pass_->backward(gradients.visuals);
    text_pass_->backward(gradients.texts);
  }
  return loss.parts();
}

Evaluation ClipLearner::evaluate_now(const Batch& batch) {
  Embedded rows = embedded(batch);
  Pairs pairs = pairs_of(batch, rows.visuals.device());
  at::Tensor cosines = l2_normalized(rows.visuals).matmul(l2_normalized(rows.texts).t());
  Evaluation result = evaluated(cosines, pairs);
  result.loss = pair_loss(cosines, logit_scale().exp(), pairs, options()).total.item<double>();
  return result;
}

}  // namespace snellen::training
