// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cli/verb.h"
#include "snellen/training/settings.h"

namespace snellen::cli {

// The options that `train` and `finetune` share.
std::vector<config::Option> training_options();

}  // namespace snellen::cli
