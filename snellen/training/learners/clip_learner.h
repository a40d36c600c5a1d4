// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "snellen/models/clip/towers.h"
#include "snellen/models/nn/cuda/captured_pass.h"
#include "snellen/training/learners/learner_base.h"
#include "snellen/training/learners/pair_loss.h"

namespace snellen::training {

// CLIP in Hugging Face's layout. Embeddings are gathered over the group, so every pair of the whole
// batch is a negative of every other; with a chunk, only embeddings of the whole batch are held.
class ClipLearner final : public LearnerBase {
 public:
  ClipLearner(const std::filesystem::path& folder,
              const LearnerOptions& options,
              dist::Group& group);

 protected:
  std::vector<LossPart> add_gradients(const Batch& batch, double share) override;
  Evaluation evaluate_now(const Batch& batch) override;

 private:
  struct Embedded {
    at::Tensor visuals;
    at::Tensor texts;
  };
  models::clip::VisionTower vision_tower();
  models::clip::TextTower text_tower();
  at::Tensor logit_scale() { return parameter("logit_scale", {}); }

  // Texts as the passes take them, on the host.
  struct Tokens {
    at::Tensor ids;     // [n, length]
    at::Tensor chosen;  // [n]
  };
  Tokens tokens(const Batch& batch, int64_t first, int64_t count) const;
  at::Tensor visual_rows(const models::clip::VisionTower& tower, const at::Tensor& bytes) const;

  // Without a history, with the weights that are shown.
  Embedded embedded(const Batch& batch);
  // The way forward; the pass then takes the gradients back.
  at::Tensor pass_visuals(const Batch& batch, int64_t first, int64_t count);
  at::Tensor pass_texts(const Batch& batch, int64_t first, int64_t count);
  // Hands the gradients of the embeddings on to the towers, chunk by chunk.
  void backpropagate(const Batch& batch, const Embedded& gradients);

  // Of the text tower, which is made anew each time.
  int64_t vocabulary_ = 0;
  int64_t max_tokens_ = 0;
  models::clip::Pooling pooling_;
  std::optional<models::nn::cuda::CapturedPass> visual_pass_, text_pass_;
};

}  // namespace snellen::training
