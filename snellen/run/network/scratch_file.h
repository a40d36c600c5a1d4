// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/base/descriptor.h"

namespace snellen::run {

// A nameless file in a folder, gone with the process. Not open, with errno, when it cannot be made.
Descriptor open_scratch_file(const std::filesystem::path& folder);

}  // namespace snellen::run
