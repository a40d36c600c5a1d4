// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace snellen::run {

// Rows of floats in a nameless mapped file: embeddings and scores grow with the data set, memory
// does not. Different rows may be written and read by different threads; a row is read after it was
// handed over.
class ScratchRows {
 public:
  // Throws kIo when the disk has no room for it.
  ScratchRows(const std::filesystem::path& folder, size_t num_values);
  ~ScratchRows();
  ScratchRows(const ScratchRows&) = delete;
  ScratchRows& operator=(const ScratchRows&) = delete;

  std::span<float> values(uint64_t first, size_t count) { return {data_ + first, count}; }
  std::span<const float> values(uint64_t first, size_t count) const {
    return {data_ + first, count};
  }

 private:
  float* data_ = nullptr;
  size_t num_bytes_ = 0;
};

}  // namespace snellen::run
