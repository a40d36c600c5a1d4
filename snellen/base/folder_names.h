// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace snellen {

// Waits until the disk holds the name that `path` was given. Throws kIo.
void sync_name_of(const std::filesystem::path& path);

// Two folders of one file system take each other's names at once: at no moment is either name
// missing. Where the file system cannot, `first` is renamed away, `second` takes its place, and
// `first` comes back if that fails. Waits until the disk holds the names. Throws kIo, naming where
// what stood at `first` is when it could not come back.
void exchange_folders(const std::filesystem::path& first, const std::filesystem::path& second);

}  // namespace snellen
