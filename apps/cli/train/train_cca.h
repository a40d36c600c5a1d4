// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "apps/cli/verb.h"

namespace snellen::cli {

// `snellen train cca`: canonical correlations of the answers and questions of dialogs.
std::function<int()> add_train_cca(Command train, Context& context);

}  // namespace snellen::cli
