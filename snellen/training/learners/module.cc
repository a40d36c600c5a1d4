// SPDX-License-Identifier: Apache-2.0
// The module's door for training.
#include "snellen/base/version.h"
#include "snellen/training/learner_module.h"
#include "snellen/training/learners/make_learner.h"

extern "C" __attribute__((visibility("default"))) void snellen_open_learners(
    snellen::training::LearnerModuleDoor& door);

extern "C" void snellen_open_learners(snellen::training::LearnerModuleDoor& door) {
  door.revision = snellen::revision();
  door.make_learner = &snellen::training::make_learner;
}
