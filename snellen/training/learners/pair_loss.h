// SPDX-License-Identifier: Apache-2.0
// What models with scores for (visual, text) pairs learn from: matches against each other, and
// selective negatives.
#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "snellen/training/learner.h"

namespace snellen::training {

// The pairs of a batch as tensors. In a group they are those of all members, by rank.
struct Pairs {
  at::Tensor visuals;  // [matches] int64
  at::Tensor texts;    // [matches]
  at::Tensor same;     // [matches, matches]: their texts say the same
  at::Tensor right_visuals, right_texts, wrong_visuals, wrong_texts;  // [contrasts]
  at::Tensor weights;                                                 // [contrasts]

  bool has_contrasts() const { return weights.numel() > 0; }
};

Pairs pairs_of(const Batch& batch, at::Device device);
// The same over all members of a group; places count on from rank to rank, weights add up to 1
// again. Members have the same numbers of visuals and texts.
Pairs gathered_pairs(const Batch& batch, dist::Group& group, at::Device device);

struct PairLoss {
  at::Tensor total;
  at::Tensor contrastive;
  at::Tensor contrasts;  // undefined without any
  // The total first.
  std::vector<LossPart> parts() const;
};

// `cosines` [visuals, texts] in float32; `scale` is the exponential of the logit scale.
PairLoss pair_loss(const at::Tensor& cosines,
                   const at::Tensor& scale,
                   const Pairs& pairs,
                   const LearnerOptions& options);

// How matches and contrasts come out by these scores [visuals, texts]; the loss is the caller's.
Evaluation evaluated(const at::Tensor& scores, const Pairs& pairs);

// How each right score does against its wrong one, [n] each.
std::vector<Verdict> verdicts(const at::Tensor& right, const at::Tensor& wrong);

}  // namespace snellen::training
