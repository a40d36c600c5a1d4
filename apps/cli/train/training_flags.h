// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cli/verb.h"
#include "snellen/training/settings.h"

namespace snellen::cli {

// The flags that `train` and `finetune` share.
void add_training_flags(CLI::App& verb, training::TrainingSettings& flags);

}  // namespace snellen::cli
