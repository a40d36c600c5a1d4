// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/training/learner.h"

namespace snellen::training {

// As MakeLearner says: CLIP, BLIP for retrieval, X-CLIP and GPT-2 in Hugging Face's layout.
std::unique_ptr<Learner> make_learner(const std::filesystem::path& folder,
                                      const LearnerOptions& options,
                                      dist::Group& group);

}  // namespace snellen::training
