// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::cli {

// '--batch_size' as '--batch-size': '_' and '-' are the same in names.
std::vector<std::string> canonical_arguments(int argc, char** argv);
// The command as it could be typed again.
std::string command_line(int argc, char** argv);

int exit_code_of(ErrorCode code);

}  // namespace snellen::cli
