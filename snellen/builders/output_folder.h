// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "snellen/base/file_lock.h"

namespace snellen::builders {

// Makes the folder and those above it, locks it against other builds, and removes what a killed
// build left half written in it. Throws kIo when that cannot be, kBusy when another process builds
// there.
[[nodiscard]] FileLock open_output_folder(const std::filesystem::path& folder);

// The same for a folder inside one that is locked.
void make_output_folder(const std::filesystem::path& folder);

// For messages and records: absolute and without "..", empty for an empty path.
std::string shown_path(const std::filesystem::path& path);

}  // namespace snellen::builders
