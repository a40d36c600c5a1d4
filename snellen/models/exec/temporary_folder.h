// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/base/descriptor.h"

namespace snellen::models::exec {

// A folder that is removed with this object. What a process that was killed left beside it is
// removed when the next one is made: a folder is in use while its lock is held.
class TemporaryFolder {
 public:
  // Throws kIo when it cannot be made.
  explicit TemporaryFolder(const std::filesystem::path& parent);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Descriptor lock_;
};

}  // namespace snellen::models::exec
