// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/models/clip/towers.h"
#include "snellen/training/learners/learner_base.h"
#include "snellen/training/learners/pair_loss.h"

namespace snellen::training {

// CLIP in Hugging Face's layout. Embeddings are gathered over the group, so every pair of the whole
// batch is a negative of every other; with a chunk, only embeddings of the whole batch are held.
class ClipLearner final : public LearnerBase {
 public:
  ClipLearner(const std::filesystem::path& folder, const LearnerOptions& options, Group& group);

 protected:
  std::vector<LossPart> add_gradients(const Batch& batch, double share) override;
  Evaluation evaluate_now(const Batch& batch) override;
  std::vector<double> score_now(const Batch& batch, std::span<const Match> asked) override;

 private:
  struct Towers {
    models::clip::VisionTower vision;
    models::clip::TextTower text;
    at::Tensor logit_scale;
  };
  struct Embedded {
    at::Tensor visuals;
    at::Tensor texts;
  };
  Towers towers();
  Embedded embedded(const Batch& batch);
  at::Tensor embed_visuals(const Towers& towers, const Batch& batch, int64_t first, int64_t count);
  at::Tensor embed_texts(const Towers& towers, const Batch& batch, int64_t first, int64_t count);
  // Hands the gradients of the embeddings on to the towers, chunk by chunk.
  void push_back(const Batch& batch, const Embedded& gradients);
  at::Tensor gathered(const at::Tensor& rows);
};

}  // namespace snellen::training
