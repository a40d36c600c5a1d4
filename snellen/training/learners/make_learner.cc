// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/make_learner.h"

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/config.h"
#include "snellen/training/learners/blip_learner.h"
#include "snellen/training/learners/clip_learner.h"
#include "snellen/training/learners/gpt2_learner.h"
#include "snellen/training/learners/x_clip_learner.h"

namespace snellen::training {

std::unique_ptr<Learner> make_learner(const std::filesystem::path& folder,
                                      const LearnerOptions& options,
                                      dist::Group& group) {
  nlohmann::json json = models::read_config(folder / "config.json");
  models::ConfigView config(json, (folder / "config.json").string());
  std::string type = config.text("model_type", "");
  if (type == "clip") return std::make_unique<ClipLearner>(folder, options, group);
  if (type == "blip") return std::make_unique<BlipLearner>(folder, options, group);
  if (type == "xclip") return std::make_unique<XClipLearner>(folder, options, group);
  if (type == "gpt2") return std::make_unique<Gpt2Learner>(folder, options, group);
  throw Error{ErrorCode::kInvalidInput,
              "models of type '" + type + "' cannot be trained",
              config.where(),
              "clip, blip, xclip and gpt2 can"};
}

}  // namespace snellen::training
