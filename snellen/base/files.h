// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace snellen {

// A whole file mapped read-only: its pages are the system's, not ours, so memory does not grow with
// it. For large files that nobody should cut meanwhile; others are read as FileBytes. Const methods
// are safe from many threads. Throws kNotFound when the file cannot be opened, kInvalidInput for
// something that is not a plain file (a folder, a FIFO).
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

// A whole file read into memory: what happens to the file afterwards changes nothing, and a file
// that is cut while it is read gives fewer bytes, not a signal. Throws as MappedFile does, and
// kInvalidInput for a file of more than `max_bytes`, kIo when it cannot be read to its end.
class FileBytes {
 public:
  explicit FileBytes(std::filesystem::path path, size_t max_bytes = size_t{1} << 30);

  std::string_view bytes() const { return {data_.get(), size_}; }
  const std::filesystem::path& path() const { return path_; }
  // When the file was last changed, as the system knew before the first byte was read.
  int64_t mtime_ns() const { return mtime_ns_; }

 private:
  std::filesystem::path path_;
  std::unique_ptr<char[]> data_;  // NOLINT(*-avoid-c-arrays): not set to zero first
  size_t size_ = 0;
  int64_t mtime_ns_ = 0;
};

// From now on this process ends with one line on stderr and `exit_code`, instead of a signal, when
// a file that it has mapped was cut short or its disk is lost. For main().
void exit_when_mapped_files_vanish(int exit_code);

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

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::string buffer_;
  int descriptor_ = -1;
};

void write_text_file(const std::filesystem::path& path,
                     std::string_view bytes,
                     Sync sync = Sync::kNow);

// A name beside `path` that nobody else uses, for what is renamed to `path` once it is whole. The
// name says that it is ours: remove_half_written() takes such names only.
std::filesystem::path half_written_path(const std::filesystem::path& path);

bool is_half_written(const std::filesystem::path& path);

// Removes what killed processes left half written in a folder (not below it) in which nobody
// writes now: files and folders named by half_written_path(), and nothing else. With `of`, only
// those that were to become that file or folder.
void remove_half_written_in(const std::filesystem::path& folder, const std::string& of = {});
// The same for the folder and all below it, which must be ours alone.
void remove_half_written(const std::filesystem::path& folder);

// Renames a file or folder to its place and waits until the disk holds the new name. Throws kIo.
void rename_into_place(const std::filesystem::path& from,
                       const std::filesystem::path& to,
                       Sync sync = Sync::kNow);

// True for a relative path that stays under its root: no "..", no root, no NUL.
bool stays_inside(const std::filesystem::path& relative);

}  // namespace snellen
