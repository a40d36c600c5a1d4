// SPDX-License-Identifier: Apache-2.0
// The cache's files: a process writes segments of its own and never touches those of others.
// NAME.rows holds rows of floats one after the other, NAME.index a record for each, written after
// its row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "snellen/base/content_key.h"
#include "snellen/base/descriptor.h"

namespace snellen::store {

// As it lies on the disk.
struct IndexRecord {
  ContentKey key;
  uint64_t offset = 0;    // of the row in the .rows file
  uint64_t checksum = 0;  // over key and row
  uint32_t width = 0;     // numbers
  uint32_t unused = 0;
};
static_assert(sizeof(IndexRecord) == 40);

uint64_t checksum_of(const ContentKey& key, std::span<const float> row);

// Appends rows. One thread at a time; all functions but the destructor throw Error (kIo for a full
// disk, kNotFound for a folder that cannot be written).
class SegmentWriter {
 public:
  explicit SegmentWriter(const std::filesystem::path& folder);
  // What was not flushed is lost.
  ~SegmentWriter() = default;

  void add(const ContentKey& key, std::span<const float> row);
  void flush();
  uint64_t num_bytes() const { return num_bytes_; }
  bool wants_flush() const;
  // Rows that were not flushed.
  size_t num_waiting() const { return index_buffer_.size(); }

 private:
  std::filesystem::path folder_;
  Descriptor rows_;
  Descriptor index_;
  uint64_t row_bytes_ = 0;
  uint64_t num_bytes_ = 0;  // of both files
  std::string row_buffer_;
  std::vector<IndexRecord> index_buffer_;
};

// Rows that any process wrote before. Const methods are safe from many threads. Whatever is
// missing, cut short or damaged is an absent row.
class Segment {
 public:
  // `rows` is the .rows file; it is kept open when asked.
  Segment(std::filesystem::path rows, bool keeps_open);

  // All records of the index that could be true, at most so many.
  std::vector<IndexRecord> records(size_t most) const;
  bool read(const IndexRecord& record, std::vector<float>& row) const;
  const std::filesystem::path& path() const { return rows_; }

 private:
  std::filesystem::path rows_;
  Descriptor descriptor_;  // not open: opened for each row
};

// The index beside a .rows file.
std::filesystem::path index_of(const std::filesystem::path& rows);

}  // namespace snellen::store
