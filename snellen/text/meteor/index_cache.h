// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "snellen/text/meteor/index_file.h"

namespace snellen::text::meteor {

struct IndexSource {
  std::string name;  // the first part of the cached file's name
  IndexFormat format;
  std::vector<std::filesystem::path> files;  // what the index is built from, in order
};

struct CachedIndex {
  IndexFile index;
  bool was_built = false;   // false: it came from the cache
  bool was_stored = false;  // a built index that the cache folder would not take serves from memory
};

// The index of `source` from `cache_folder` (empty: no cache), built when it is not there. It is
// named by the SHA-256 of the sources and the format version. A stamp beside it keeps size and
// modification time of the sources and of the index, so that an unchanged pair is neither hashed
// nor checksummed again. A damaged, foreign or unwritable cache is never an error; errors of the
// sources and of `build` are thrown. `build` gets the sources' SHA-256 and returns the bytes of an
// IndexWriter.
CachedIndex open_or_build(const IndexSource& source,
                          const std::filesystem::path& cache_folder,
                          const std::function<std::string(const std::string& sha256)>& build);

}  // namespace snellen::text::meteor
