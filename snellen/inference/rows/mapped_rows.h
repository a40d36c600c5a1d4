// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace snellen::inference {

// Rows of floats in a nameless mapped file: embeddings and scores grow with the data set, memory
// does not. Different rows may be written and read by different threads; a row is read after it was
// handed over.
class MappedRows {
 public:
  // Throws kIo when the disk has no room for it.
  MappedRows(const std::filesystem::path& folder, size_t num_values);
  ~MappedRows();
  MappedRows(const MappedRows&) = delete;
  MappedRows& operator=(const MappedRows&) = delete;

  std::span<float> values(uint64_t first, size_t count) { return {data_ + first, count}; }
  std::span<const float> values(uint64_t first, size_t count) const {
    return {data_ + first, count};
  }

 private:
  float* data_ = nullptr;
  size_t num_bytes_ = 0;
};

}  // namespace snellen::inference
