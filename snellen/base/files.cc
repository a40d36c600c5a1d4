// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/files.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "snellen/base/descriptor.h"
#include "snellen/base/error.h"
#include "snellen/base/folder_names.h"
#include "snellen/base/splitmix.h"

namespace snellen {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOurs = ".snellen-";
constexpr std::string_view kHalfWritten = ".part";
constexpr size_t kNumberDigits = 16;
constexpr size_t kBufferBytes = 1 << 18;

// Named by half_written_path(), from a path with the file name `of` where that is not empty.
bool is_half_written(std::string_view name, std::string_view of) {
  const size_t tail = kOurs.size() + kNumberDigits + kHalfWritten.size();
  if (name.size() <= tail || !name.ends_with(kHalfWritten)) return false;
  if (!of.empty() && name.substr(0, name.size() - tail) != of) return false;
  name = name.substr(name.size() - tail, kOurs.size() + kNumberDigits);
  return name.starts_with(kOurs) &&
         name.find_first_not_of("0123456789abcdef", kOurs.size()) == std::string_view::npos;
}

template <typename Iterator>
void remove_found(const Iterator& entries, std::string_view of) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : entries) {
    if (is_half_written(entry.path().filename().native(), of)) found.push_back(entry.path());
  }
  std::error_code ignored;
  for (const fs::path& path : found) fs::remove_all(path, ignored);
}

Descriptor open_plain_file(const fs::path& path, struct stat& status) {
  // O_NONBLOCK: a FIFO must be refused, not waited for.
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!descriptor.is_open()) {
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be opened: {}", std::strerror(errno)),
                path.string(),
                "check the path and its permissions"};
  }
  if (::fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode))
    throw Error{ErrorCode::kInvalidInput, "is not a plain file", path.string(), "give a file"};
  return descriptor;
}

[[noreturn]] void fail(const char* doing, const fs::path& path) {
  const int failure = errno;
  const bool is_full = failure == ENOSPC || failure == EDQUOT;
  throw Error{is_full || failure == EIO ? ErrorCode::kIo : ErrorCode::kNotFound,
              fmt::format("cannot be {}: {}", doing, std::strerror(failure)),
              path.string(),
              is_full ? "free some space, then run the same command again"
                      : "choose a folder that can be written"};
}

}  // namespace

MappedFile::MappedFile(fs::path path) : path_(std::move(path)) {
  struct stat status {};
  const Descriptor descriptor = open_plain_file(path_, status);
  if (status.st_size == 0) return;
  size_ = static_cast<size_t>(status.st_size);
  void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor.get(), 0);
  if (mapped == MAP_FAILED)
    throw Error{
        ErrorCode::kIo, fmt::format("cannot be mapped: {}", std::strerror(errno)), path_.string()};
  data_ = static_cast<const char*>(mapped);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void MappedFile::release_pages() const {
  // The mapping is private and never written, so what is dropped is still in the file. Advice only:
  // a system that refuses it keeps the pages, nothing else changes.
  if (data_ != nullptr) (void)::madvise(const_cast<char*>(data_), size_, MADV_DONTNEED);
}

FileBytes::FileBytes(fs::path path, size_t max_bytes) : path_(std::move(path)) {
  struct stat status {};
  const Descriptor descriptor = open_plain_file(path_, status);
  const auto size = static_cast<size_t>(status.st_size);
  if (size > max_bytes) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("holds {} bytes, at most {} are read", size, max_bytes),
                path_.string()};
  }
  mtime_ns_ = int64_t{status.st_mtim.tv_sec} * 1000000000 + status.st_mtim.tv_nsec;
  data_ = std::make_unique_for_overwrite<char[]>(size);  // NOLINT(*-avoid-c-arrays)
  while (size_ < size) {
    const ssize_t count = ::read(descriptor.get(), data_.get() + size_, size - size_);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw Error{ErrorCode::kIo,
                  fmt::format("cannot be read to its end: {}", std::strerror(errno)),
                  path_.string()};
    if (count == 0) break;
    size_ += static_cast<size_t>(count);
  }
}

void exit_when_mapped_files_vanish(int exit_code) {
  static std::atomic<int> code;
  code = exit_code;
  struct sigaction action {};
  action.sa_handler = [](int) {
    constexpr std::string_view kLine =
        "error: a file was cut short, or its disk was lost, while this program read it (run the "
        "same command again)\n";
    (void)!::write(STDERR_FILENO, kLine.data(), kLine.size());
    ::_exit(code);
  };
  ::sigaction(SIGBUS, &action, nullptr);
}

std::string read_text_file(const fs::path& path, size_t max_bytes) {
  return std::string(FileBytes(path, max_bytes).bytes());
}

bool is_half_written(const fs::path& path) {
  return is_half_written(path.filename().native(), {});
}

fs::path half_written_path(const fs::path& path) {
  static std::atomic<uint64_t> count = std::random_device()();
  // The clock and the process tell hosts and processes of one shared folder apart, the count tells
  // threads apart.
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const uint64_t number = splitmix64(splitmix64(static_cast<uint64_t>(now)) ^
                                     splitmix64(static_cast<uint64_t>(::getpid())) ^ ++count);
  fs::path beside = path;
  beside += fmt::format("{}{:016x}{}", kOurs, number, kHalfWritten);
  return beside;
}

void remove_half_written_in(const fs::path& folder, const std::string& of) {
  remove_found(fs::directory_iterator(folder), of);
}

void remove_half_written(const fs::path& folder) {
  remove_found(fs::recursive_directory_iterator(folder), {});
}

void rename_into_place(const fs::path& from, const fs::path& to, Sync sync) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail("put in place", to);
  if (sync == Sync::kNow) sync_name_of(to);
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  std::error_code ignored;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), ignored);
  do {
    temporary_ = half_written_path(path_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) fail("created", path_);
  buffer_.reserve(kBufferBytes);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
  }
}

void AtomicFile::flush() {
  for (std::string_view left = buffer_; !left.empty();) {
    ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("written", path_);
    }
    left.remove_prefix(static_cast<size_t>(written));
  }
  buffer_.clear();
}

void AtomicFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBufferBytes) flush();
}

void AtomicFile::commit(Sync sync) {
  SNELLEN_CHECK(descriptor_ >= 0);
  flush();
  if (sync == Sync::kNow && ::fsync(descriptor_) != 0 && errno != EINVAL) fail("synced", path_);
  rename_into_place(temporary_, path_, sync);
  ::close(descriptor_);
  descriptor_ = -1;
}

void write_text_file(const fs::path& path, std::string_view bytes, Sync sync) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit(sync);
}

bool stays_inside(const fs::path& relative) {
  if (relative.is_absolute() || relative.native().find('\0') != std::string::npos) return false;
  for (const fs::path& piece : relative) {
    if (piece == "..") return false;
  }
  return true;
}

}  // namespace snellen
