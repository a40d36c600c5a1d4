// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace snellen::builders {

// Makes the folder and those above it, and removes what a killed build left half written in it
// (files that end in ".part"). Throws kIo when that cannot be.
void open_output_folder(const std::filesystem::path& folder);

// For messages and records: absolute and without "..", empty for an empty path.
std::string shown_path(const std::filesystem::path& path);

}  // namespace snellen::builders
