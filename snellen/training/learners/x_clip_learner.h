// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/models/x_clip/layers.h"
#include "snellen/training/learners/learner_base.h"
#include "snellen/training/learners/pair_loss.h"

namespace snellen::training {

// X-CLIP on clips: every text is adapted to every clip of the batch, so a step costs clips x texts.
// In a group each member has its own negatives.
class XClipLearner final : public LearnerBase {
 public:
  XClipLearner(const std::filesystem::path& folder,
               const LearnerOptions& options,
               dist::Group& group);

 protected:
  std::vector<LossPart> add_gradients(const Batch& batch, double share) override;
  Evaluation evaluate_now(const Batch& batch) override;

 private:
  struct Scored {
    at::Tensor cosines;  // [clips, texts]
    at::Tensor scale;
  };
  Scored scored(const Batch& batch);
};

}  // namespace snellen::training
