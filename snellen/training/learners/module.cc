// SPDX-License-Identifier: Apache-2.0
// The module's exports for training.
#include "snellen/base/version.h"
#include "snellen/training/learner_module.h"
#include "snellen/training/learners/make_learner.h"

extern "C" __attribute__((visibility("default"))) void snellen_open_learners(
    snellen::training::LearnerModuleExports& exports);

extern "C" void snellen_open_learners(snellen::training::LearnerModuleExports& exports) {
  exports.revision = snellen::revision();
  exports.make_learner = &snellen::training::make_learner;
}
