// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/files.h"

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "snellen/base/error.h"

namespace snellen {
namespace {

constexpr const char* kHalfWritten = ".part";
constexpr size_t kBufferBytes = 1 << 18;

}  // namespace

MappedFile::MappedFile(std::filesystem::path path) : path_(std::move(path)) {
  // O_NONBLOCK: a FIFO must be refused, not waited for.
  int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be opened: {}", std::strerror(errno)),
                path_.string(),
                "check the path and its permissions"};
  }
  struct stat status {};
  bool is_plain = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  if (is_plain && status.st_size > 0) {
    size_ = static_cast<size_t>(status.st_size);
    void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped == MAP_FAILED) {
      ::close(descriptor);
      throw Error{ErrorCode::kIo,
                  fmt::format("cannot be mapped: {}", std::strerror(errno)),
                  path_.string()};
    }
    data_ = static_cast<const char*>(mapped);
  }
  ::close(descriptor);
  if (!is_plain)
    throw Error{ErrorCode::kInvalidInput, "is not a plain file", path_.string(), "give a file"};
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

std::string read_text_file(const std::filesystem::path& path, size_t max_bytes) {
  MappedFile file(path);
  if (file.bytes().size() > max_bytes) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("holds {} bytes, at most {} are read", file.bytes().size(), max_bytes),
                path.string()};
  }
  return std::string(file.bytes());
}

void remove_half_written(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == kHalfWritten) found.push_back(entry.path());
  }
  std::error_code ignored;
  for (const std::filesystem::path& path : found) std::filesystem::remove(path, ignored);
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)), temporary_(path_) {
  temporary_ += fmt::format(".{}{}", ::getpid(), kHalfWritten);
  std::error_code ignored;
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), ignored);
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail("created");
  buffer_.reserve(kBufferBytes);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
  }
}

void AtomicFile::fail(const char* doing) const {
  bool is_full = errno == ENOSPC || errno == EDQUOT;
  throw Error{is_full || errno == EIO ? ErrorCode::kIo : ErrorCode::kNotFound,
              fmt::format("cannot be {}: {}", doing, std::strerror(errno)),
              path_.string(),
              is_full ? "free some space, then run the same command again"
                      : "choose a folder that can be written"};
}

void AtomicFile::flush() {
  for (std::string_view left = buffer_; !left.empty();) {
    ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("written");
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
  if (sync == Sync::kNow && ::fsync(descriptor_) != 0 && errno != EINVAL) fail("synced");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("put in place");
  ::close(descriptor_);
  descriptor_ = -1;
}

void write_text_file(const std::filesystem::path& path, std::string_view bytes, Sync sync) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit(sync);
}

bool stays_inside(const std::filesystem::path& relative) {
  if (relative.is_absolute() || relative.native().find('\0') != std::string::npos) return false;
  for (const std::filesystem::path& piece : relative) {
    if (piece == "..") return false;
  }
  return true;
}

}  // namespace snellen
