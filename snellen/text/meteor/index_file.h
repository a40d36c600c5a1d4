// SPDX-License-Identifier: Apache-2.0
// One file of arrays that is used where it lies: little-endian, position-independent, checksummed.
// Kept in a cache folder so that a table is parsed once and later processes share its mapped pages.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::text::meteor {

// What an index was made from and how; an index of another format is rebuilt, never guessed at.
struct IndexFormat {
  uint32_t kind = 0;     // which table
  uint32_t version = 0;  // raised when the layout of its sections changes
};

// Collects sections, then yields the whole file. One thread at a time.
class IndexWriter {
 public:
  IndexWriter(IndexFormat format, std::string_view source_sha256);

  template <typename T>
  void add(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add_bytes({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }
  void add_bytes(std::string_view bytes);
  // The file's bytes, checksums filled in.
  std::string finish() &&;

 private:
  std::string image_;
  uint32_t num_sections_ = 0;
};

// An opened index: a mapped file or an image in memory. Const methods are safe from many threads;
// spans hold as long as a copy of the index lives.
class IndexFile {
 public:
  enum class Check { kHeader, kEverything };

  // Refuses (kInvalidInput) a foreign, cut or damaged image. kHeader trusts the body.
  static Result<IndexFile> open(MappedFile file, IndexFormat format, Check check);
  static Result<IndexFile> open(std::string image, IndexFormat format);

  const std::string& source_sha256() const { return source_sha256_; }
  size_t num_sections() const { return sections_.size(); }

  // Bytes beyond the last whole T are left out; a section that does not exist is empty.
  template <typename T>
  std::span<const T> section(size_t number) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (number >= sections_.size()) return {};
    return {reinterpret_cast<const T*>(sections_[number].data()),
            sections_[number].size() / sizeof(T)};
  }

 private:
  IndexFile() = default;
  static Result<IndexFile> parse(std::string_view image, IndexFormat format, Check check);

  std::shared_ptr<const MappedFile> file_;
  std::shared_ptr<const std::string> image_;
  std::string source_sha256_;
  std::vector<std::string_view> sections_;
};

// A 64-bit checksum that keeps up with memory; not for trust.
uint64_t fast_checksum(std::string_view bytes);

}  // namespace snellen::text::meteor
