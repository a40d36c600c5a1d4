// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "snellen/base/descriptor.h"

namespace snellen {

// Held by the one process that writes in a place; the system releases it with the process, however
// that ends. The file is made for the lock, with the folders above it, and removed on release.
class FileLock {
 public:
  // Throws kBusy ("another process is writing here", with `busy_hint`) when another process, or
  // another FileLock of this one, holds it; kIo when the file system cannot lock; kNotFound when
  // the file cannot be made.
  FileLock(std::filesystem::path file, const std::string& busy_hint);
  ~FileLock();
  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&&) = delete;

 private:
  std::filesystem::path file_;
  Descriptor descriptor_;
};

}  // namespace snellen
