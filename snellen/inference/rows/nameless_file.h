// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/base/descriptor.h"

namespace snellen::inference {

// A nameless file in a folder, gone with the process. Not open, with errno, when it cannot be made.
Descriptor open_nameless_file(const std::filesystem::path& folder);

}  // namespace snellen::inference
