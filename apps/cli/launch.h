// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/dist/launch.h"

namespace snellen::cli {

// How this process was started, by the variables of its environment.
dist::Launch this_launch();

}  // namespace snellen::cli
