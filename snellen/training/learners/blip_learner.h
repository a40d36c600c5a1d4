// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/models/blip/retrieval.h"
#include "snellen/training/learners/learner_base.h"
#include "snellen/training/learners/pair_loss.h"

namespace snellen::training {

// BLIP for retrieval (Li et al. 2021, 2022): the contrastive loss of its two heads and image-text
// matching. Wrong pairs are drawn from the batch, likelier the more similar they are, and the
// batch's contrasts are wrong pairs too. In a group each member draws from its own batch.
class BlipLearner final : public LearnerBase {
 public:
  BlipLearner(const std::filesystem::path& folder,
              const LearnerOptions& options,
              dist::Group& group);

 protected:
  std::vector<LossPart> add_gradients(const Batch& batch, double share) override;
  Evaluation evaluate_now(const Batch& batch) override;

 private:
  struct Seen {
    at::Tensor tokens;                                  // of pictures
    std::vector<models::nn::KeysAndValues> remembered;  // of pictures, once
    models::nn::TextBatch texts;
    at::Tensor cosines;  // [visuals, texts]
  };
  struct Judged {  // pairs to judge
    std::vector<int64_t> visuals;
    std::vector<int64_t> texts;
    std::vector<int64_t> labels;  // 1 for a match

    void add(int64_t visual, int64_t text, bool is_match) {
      visuals.push_back(visual);
      texts.push_back(text);
      labels.push_back(is_match ? 1 : 0);
    }
  };
  models::blip::Retrieval layers();
  Seen see(const models::blip::Retrieval& blip, const Batch& batch);
  Judged judged_pairs(const Batch& batch, const Pairs& pairs, const at::Tensor& cosines) const;
  // [pairs, 2].
  at::Tensor logits(const models::blip::Retrieval& blip, const Seen& seen, const Judged& pairs);
};

}  // namespace snellen::training
