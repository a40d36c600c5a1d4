// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/x_clip_learner.h"

#include "snellen/base/error.h"

namespace snellen::training {

using models::nn::l2_normalized;

XClipLearner::XClipLearner(const std::filesystem::path& folder,
                           const LearnerOptions& options,
                           dist::Group& group)
    : LearnerBase(folder, options, group) {
  models::nn::Weights from = weights();
  models::x_clip::load_layers(from, config());
  from.take_float("logit_scale", {});
  settle();
}

XClipLearner::Scored XClipLearner::scored(const Batch& batch) {
  models::nn::Weights from = weights();
  models::x_clip::Layers model = models::x_clip::load_layers(from, config());
  SNELLEN_CHECK(batch.num_frames == model.num_frames);
  at::Tensor rows = model.embed_clips(pixels(batch, 0, batch.num_visuals * batch.num_frames));
  models::nn::TextBatch tokens =
      texts(batch.texts, model.text.vocabulary(), model.text.max_tokens());
  at::Tensor plain = model.text(tokens, batch.texts);
  at::Tensor videos = l2_normalized(rows.select(1, 0).to(at::kFloat));
  at::Tensor contexts = rows.narrow(1, 1, rows.size(1) - 1);
  at::Tensor shown = plain.unsqueeze(0).expand({rows.size(0), plain.size(0), plain.size(1)});
  at::Tensor adapted = shown + model.prompts.adaptation(shown, contexts);
  return {.cosines = l2_normalized(adapted.to(at::kFloat)).matmul(videos.unsqueeze(2)).squeeze(2),
          .scale = from.take_float("logit_scale", {}).exp()};
}

std::vector<LossPart> XClipLearner::add_gradients(const Batch& batch, double share) {
  Scored now = scored(batch);
  PairLoss loss =
      pair_loss(now.cosines, now.scale, pairs_of(batch, now.cosines.device()), options());
  (loss.total * (share / group().size())).backward();
  return loss.parts();
}

Evaluation XClipLearner::evaluate_now(const Batch& batch) {
  Scored now = scored(batch);
  Pairs pairs = pairs_of(batch, now.cosines.device());
  Evaluation result = evaluated(now.cosines, pairs);
  result.loss = pair_loss(now.cosines, now.scale, pairs, options()).total.item<double>();
  return result;
}

}  // namespace snellen::training
