// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learner_module.h"

#include "snellen/models/module_exports.h"

namespace snellen::training {

LearnerModule::LearnerModule(const std::filesystem::path& file) {
  make_ = models::open_exports<LearnerModuleExports>(file,
                                                     {.entry = "snellen_open_learners",
                                                      .needed_by = "training needs",
                                                      .when_absent = "holds no learners"})
              .make_learner;
}

}  // namespace snellen::training
