// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/file_lock.h"

namespace snellen::builders {

// Makes the folder and those above it, locks it against other builds, and removes what a killed
// build left half written in it. `names` are the files and folders that the builder will write: the
// folder gets a record of an unfinished build, so that they are known as ours from now on. When the
// lock goes and none of them is there, the record goes too, and so do folders that were made for
// it. Throws kIo when that cannot be, kBusy when another process builds there, kUsage when another
// builder has built there, or when one of the names is there and no build made it.
[[nodiscard]] FileLock open_output_folder(const std::filesystem::path& folder,
                                          std::string_view builder,
                                          const std::vector<std::filesystem::path>& names);

// The same for a folder inside one that is locked.
void make_output_folder(const std::filesystem::path& folder);

// For messages and records: absolute and without "..", empty for an empty path.
std::string shown_path(const std::filesystem::path& path);

}  // namespace snellen::builders
