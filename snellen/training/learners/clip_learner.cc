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
                         Group& group)
    : LearnerBase(folder, options, group) {
  towers();
  settle();
}

ClipLearner::Towers ClipLearner::towers() {
  models::nn::Weights from = weights();
  int64_t width = config().positive("projection_dim", 512);
  return {.vision =
              models::clip::load_vision_tower(from, config().sub_with_twin("vision_config"), width),
          .text = models::clip::load_text_tower(
              from, config().sub_with_twin("text_config"), width, /*default_eos=*/49407),
          .logit_scale = from.take_float("logit_scale", {})};
}

at::Tensor ClipLearner::embed_visuals(const Towers& towers,
                                      const Batch& batch,
                                      int64_t first,
                                      int64_t count) {
  return towers.vision(pixels(batch, first, count), nullptr, /*traces_after_norm=*/false)
      .to(at::kFloat);
}

at::Tensor ClipLearner::embed_texts(const Towers& towers,
                                    const Batch& batch,
                                    int64_t first,
                                    int64_t count) {
  std::span<const models::TokenIds> part =
      std::span(batch.texts).subspan(static_cast<size_t>(first), static_cast<size_t>(count));
  return towers.text(texts(part, towers.text.vocabulary(), towers.text.max_tokens()), part)
      .to(at::kFloat);
}

ClipLearner::Embedded ClipLearner::embedded(const Batch& batch) {
  at::NoGradGuard guard;
  Towers here = towers();
  std::vector<at::Tensor> visuals, rows;
  in_chunks(batch.num_visuals, options().chunk, [&](int64_t first, int64_t count) {
    visuals.push_back(embed_visuals(here, batch, first, count));
  });
  in_chunks(std::ssize(batch.texts), options().chunk, [&](int64_t first, int64_t count) {
    rows.push_back(embed_texts(here, batch, first, count));
  });
  return {.visuals = at::cat(visuals), .texts = at::cat(rows)};
}

at::Tensor ClipLearner::gathered(const at::Tensor& rows) {
  if (group().size() == 1) return rows.detach();
  at::Tensor here = rows.detach().cpu().contiguous();
  std::vector<float> all =
      group().gather({here.data_ptr<float>(), static_cast<size_t>(here.numel())});
  return at::tensor(all, at::kFloat).view({-1, rows.size(1)}).to(rows.device());
}

void ClipLearner::push_back(const Batch& batch, const Embedded& gradients) {
  auto push = [](const at::Tensor& rows, const at::Tensor& gradient) {
    if (rows.requires_grad()) rows.backward(gradient);
  };
  in_chunks(batch.num_visuals, options().chunk, [&](int64_t first, int64_t count) {
    push(embed_visuals(towers(), batch, first, count), gradients.visuals.narrow(0, first, count));
  });
  in_chunks(std::ssize(batch.texts), options().chunk, [&](int64_t first, int64_t count) {
    push(embed_texts(towers(), batch, first, count), gradients.texts.narrow(0, first, count));
  });
}

std::vector<LossPart> ClipLearner::add_gradients(const Batch& batch, double share) {
  bool is_cached = options().chunk > 0 && (options().chunk < batch.num_visuals ||
                                           options().chunk < std::ssize(batch.texts));
  Towers here = towers();
  Embedded rows;
  if (is_cached) {
    rows = embedded(batch);
  } else {
    rows.visuals = embed_visuals(here, batch, 0, batch.num_visuals);
    rows.texts = embed_texts(here, batch, 0, std::ssize(batch.texts));
  }
  // The loss is that of the whole group; each member sends back the gradients of its own rows.
  at::Tensor visuals = gathered(rows.visuals).requires_grad_();
  at::Tensor texts = gathered(rows.texts).requires_grad_();
  Pairs pairs = gathered_pairs(batch, group(), visuals.device());
  at::Tensor cosines = l2_normalized(visuals).matmul(l2_normalized(texts).t());
  // Every member computes the scale's whole gradient, and they are added up.
  double members = group().size();
  at::Tensor scale = here.logit_scale;
  if (members > 1) scale = scale / members + (scale * (1 - 1 / members)).detach();
  PairLoss loss = pair_loss(cosines, scale.exp(), pairs, options());
  (loss.total * share).backward();
  Embedded gradients = {
      .visuals = visuals.grad().narrow(0, group().rank() * batch.num_visuals, batch.num_visuals),
      .texts = texts.grad().narrow(
          0, group().rank() * std::ssize(batch.texts), std::ssize(batch.texts))};
  if (is_cached) {
    push_back(batch, gradients);
  } else {
    if (rows.visuals.requires_grad()) rows.visuals.backward(gradients.visuals);
    if (rows.texts.requires_grad()) rows.texts.backward(gradients.texts);
  }
  return loss.parts();
}

Evaluation ClipLearner::evaluate_now(const Batch& batch) {
  Embedded rows = embedded(batch);
  Pairs pairs = pairs_of(batch, rows.visuals.device());
  at::Tensor cosines = l2_normalized(rows.visuals).matmul(l2_normalized(rows.texts).t());
  Evaluation result = evaluated(cosines, pairs);
  result.loss =
      pair_loss(cosines, towers().logit_scale.exp(), pairs, options()).total.item<double>();
  return result;
}

std::vector<double> ClipLearner::score_now(const Batch& batch, std::span<const Match> asked) {
  Embedded rows = embedded(batch);
  return scores_of(l2_normalized(rows.visuals).matmul(l2_normalized(rows.texts).t()), asked);
}

}  // namespace snellen::training
