// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "snellen/base/error.h"

namespace snellen::run {

// What a failed write (kIo) means for a run whose folders go to `output`: names the disk when that
// is full, and the command to go on with.
Error with_next_step(const Error& error,
                     const std::filesystem::path& output,
                     const std::string& command);

}  // namespace snellen::run
