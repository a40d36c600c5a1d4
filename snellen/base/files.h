// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace snellen {

// A whole file mapped read-only: its pages are the system's, not ours, so memory does not grow with
// it. Const methods are safe from many threads. Throws kNotFound when the file cannot be opened,
// kInvalidInput for something that is not a plain file (a folder, a FIFO).
class MappedFile {
 public:
  explicit MappedFile(std::filesystem::path path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {data_, size_}; }
  const std::filesystem::path& path() const { return path_; }

  // Takes the pages that were read out of this process's memory; reading them again is allowed and
  // brings them back.
  void release_pages() const;

 private:
  std::filesystem::path path_;
  const char* data_ = nullptr;
  size_t size_ = 0;
};

// Reads a small file; throws kNotFound, or kInvalidInput when it is larger than `max_bytes`.
std::string read_text_file(const std::filesystem::path& path, size_t max_bytes = size_t{64} << 20);

// Whether a file is on the disk when it appears, or the system may write it later: then a loss of
// power (not of the process) can leave it empty. For files that are made again when they are not
// whole.
enum class Sync { kNow, kLater };

// A file that appears whole or not at all: written beside its place, then synced and renamed over
// it. Throws kIo (a full disk) or kNotFound (a folder that cannot be written).
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  // Throws away what was written unless commit() was called.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit(Sync sync = Sync::kNow);

 private:
  void flush();
  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::string buffer_;
  int descriptor_ = -1;
};

void write_text_file(const std::filesystem::path& path,
                     std::string_view bytes,
                     Sync sync = Sync::kNow);

// Removes what AtomicFiles of killed processes left below a folder in which nobody writes now.
void remove_half_written(const std::filesystem::path& folder);

// True for a relative path that stays under its root: no "..", no root, no NUL.
bool stays_inside(const std::filesystem::path& relative);

}  // namespace snellen
