// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace snellen::formats {

// The numbers of a NumPy file (.npy, versions 1 to 3) that holds one row of little-endian integers
// or floats, as QUVA's annotations are. Throws kNotFound, and kInvalidInput for any other content
// (pickles and several dimensions included) or a file that is cut short or goes on too long.
std::vector<double> read_npy(const std::filesystem::path& path);

}  // namespace snellen::formats
