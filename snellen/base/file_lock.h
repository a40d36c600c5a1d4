// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "snellen/base/descriptor.h"

namespace snellen {

// Held by the one process that writes in a place; the system releases it with the process, however
// that ends. The file is made for the lock, with the folders above it, and removed on release; so
// are the folders made for it that hold nothing then.
class FileLock {
 public:
  // Throws kBusy ("another process is writing here", with `busy_hint`) when another process, or
  // another FileLock of this one, holds it; kIo when the file system cannot lock; kNotFound when
  // the file cannot be made.
  FileLock(std::filesystem::path file, const std::string& busy_hint);
  ~FileLock();
  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&&) = delete;

  // Done on release, while the lock is still held. Must not throw.
  void on_release(std::function<void()> last) { last_ = std::move(last); }

 private:
  std::filesystem::path file_;
  Descriptor descriptor_;
  std::vector<std::filesystem::path> made_folders_;  // the deepest first
  std::function<void()> last_;
};

}  // namespace snellen
