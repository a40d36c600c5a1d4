// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::formats {

// One entry of a zip archive: its name and packed bytes as they lie in the archive.
struct ZipEntry {
  std::string_view name;
  std::string_view packed;
  uint64_t num_unpacked_bytes = 0;
  uint32_t crc = 0;
  bool is_stored = true;  // not compressed: `packed` is the content
  bool is_zstd = false;   // packed with zstd, else with deflate
};

// All entries (zip64 too), in the directory's order. Every range is checked against the archive,
// the local header against the directory; a name twice, encryption and compression other than
// deflate and zstd are refused. No content is read. Throws kInvalidInput, naming `where`.
std::vector<ZipEntry> read_zip_directory(std::string_view archive, const std::string& where);

// The first entry of that name, found without looking at the others' content (a jar may name one
// twice); nothing when there is none.
std::optional<ZipEntry> find_zip_entry(std::string_view archive,
                                       std::string_view name,
                                       const std::string& where);

// The content of a small entry, its checksum verified; at most `max_bytes`.
std::string unpack(const ZipEntry& entry, size_t max_bytes, const std::string& where);

}  // namespace snellen::formats
