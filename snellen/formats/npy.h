// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace snellen::formats {

// The numbers of a NumPy file (.npy, versions 1 to 3) that holds one row of little-endian integers
// or floats, as QUVA's annotations are. Throws kNotFound, and kInvalidInput for any other content
// (pickles and further dimensions included) or a file that is cut short or goes on too long.
std::vector<double> read_npy(const std::filesystem::path& path);

struct NpyMatrix {
  uint64_t num_rows = 0;
  uint64_t num_columns = 0;
  std::vector<double> values;  // row by row
};
// The same for a file of one matrix, or of one row.
NpyMatrix read_npy_matrix(const std::filesystem::path& path);

// A matrix of doubles that numpy.load reads. The file appears whole or not at all.
void write_npy(const std::filesystem::path& path,
               std::span<const double> values,
               uint64_t num_rows,
               uint64_t num_columns);
// The same of floats.
void write_npy(const std::filesystem::path& path,
               std::span<const float> values,
               uint64_t num_rows,
               uint64_t num_columns);
// One row of 64-bit integers.
void write_npy(const std::filesystem::path& path, std::span<const int64_t> values);

}  // namespace snellen::formats
