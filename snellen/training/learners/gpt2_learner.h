// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/training/learners/learner_base.h"

namespace snellen::training {

// GPT-2 on the texts of a batch alone.
class Gpt2Learner final : public LearnerBase {
 public:
  Gpt2Learner(const std::filesystem::path& folder,
              const LearnerOptions& options,
              dist::Group& group);

 protected:
  std::vector<LossPart> add_gradients(const Batch& batch, double share) override;
  Evaluation evaluate_now(const Batch& batch) override;

 private:
  at::Tensor loss(const Batch& batch);
};

}  // namespace snellen::training
