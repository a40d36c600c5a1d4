// SPDX-License-Identifier: Apache-2.0
// Files packed into one: a zip archive (deflated), or a tar archive. Same files, same bytes: no
// times or owners are kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/files.h"

namespace snellen::formats {

enum class ArchiveKind { kZip, kTar };

// The archive appears whole with finish(), or not at all. One thread at a time.
class ArchiveWriter {
 public:
  ArchiveWriter(const std::filesystem::path& path, ArchiveKind kind);

  // Names are relative, with '/'. Throws kInvalidInput for one that is too long, kUsage above
  // 4 GB: neither form holds more here.
  void add(const std::string& name, std::string_view content);
  void finish();

 private:
  struct Entry {
    std::string name;
    uint32_t crc = 0;
    uint32_t num_packed = 0;
    uint32_t num_bytes = 0;
    uint32_t place = 0;
  };
  void add_to_zip(const std::string& name, std::string_view content);
  void add_to_tar(const std::string& name, std::string_view content);
  void write(std::string_view bytes);

  AtomicFile file_;
  ArchiveKind kind_;
  uint64_t num_written_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace snellen::formats
