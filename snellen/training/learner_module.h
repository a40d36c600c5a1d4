// SPDX-License-Identifier: Apache-2.0
// Learners live in the same module as the networks (models/network_module.h): this opens its other
// entry.
#pragma once

#include <filesystem>
#include <string_view>

#include "snellen/training/learner.h"

namespace snellen::training {

struct LearnerModuleExports {
  std::string_view revision;  // of the sources it was built from
  MakeLearner make_learner = nullptr;
};

class LearnerModule {
 public:
  // Throws kNotFound when the file is not there or lacks a library, kInvalidInput when it was built
  // from other sources than this program.
  explicit LearnerModule(const std::filesystem::path& file);

  std::unique_ptr<Learner> make(const std::filesystem::path& folder,
                                const LearnerOptions& options,
                                dist::Group& group) const {
    return make_(folder, options, group);
  }

 private:
  MakeLearner make_ = nullptr;
};

}  // namespace snellen::training
