// SPDX-License-Identifier: Apache-2.0
// The folder of the cache as a whole: FOLDER/rows-1/SCOPE/NAME.{rows,index}. Processes agree
// without locks; only who drops segments holds one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "snellen/base/content_key.h"

namespace snellen::store {

std::filesystem::path scope_folder(const std::filesystem::path& folder, const ContentKey& scope);

struct CacheSegment {
  std::filesystem::path rows;
  uint64_t num_bytes = 0;  // of both files
  uint64_t num_rows = 0;
  std::filesystem::file_time_type used = {};  // last
};
// The segments of one scope, the last used first.
std::vector<CacheSegment> segments_in(const std::filesystem::path& scope);

// What a scope is, in words, beside its segments. Left out where it cannot be written.
void write_about(const std::filesystem::path& scope, const std::string& about);
void mark_used(const std::filesystem::path& rows);

// Removes the segments that were not used for longest until the rest fits, with some room. Leaves
// it to another process that is at it.
void drop_oldest(const std::filesystem::path& folder, uint64_t max_bytes);

struct CacheScope {
  std::string name;
  std::string about = {};
  uint64_t num_bytes = 0;
  uint64_t num_rows = 0;
  std::filesystem::file_time_type used = {};
};
// The last used first.
std::vector<CacheScope> scopes_of(const std::filesystem::path& folder);

struct Cleared {
  uint64_t num_rows = 0;
  uint64_t num_bytes = 0;
};
// Removes every segment, and nothing else that may lie in the folder. Throws kIo when some cannot
// be removed.
Cleared clear_cache(const std::filesystem::path& folder);

}  // namespace snellen::store
