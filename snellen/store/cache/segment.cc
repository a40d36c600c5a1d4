// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/cache/segment.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::store {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBufferBytes = size_t{1} << 20;
constexpr uint32_t kMostNumbers = 1U << 24;  // in a row

[[noreturn]] void fail(const fs::path& path, const char* doing) {
  throw Error{errno == ENOSPC || errno == EDQUOT ? ErrorCode::kIo : ErrorCode::kNotFound,
              fmt::format("cannot be {}: {}", doing, std::strerror(errno)),
              path.string()};
}

void write_all(const Descriptor& file, std::string_view bytes, const fs::path& folder) {
  while (!bytes.empty()) {
    ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(folder, "written");
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

bool read_all(int file, uint64_t offset, void* into, size_t count) {
  auto* place = static_cast<char*>(into);
  while (count > 0) {
    ssize_t got = ::pread(file, place, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    place += got;
    offset += static_cast<uint64_t>(got);
    count -= static_cast<size_t>(got);
  }
  return true;
}

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

fs::path index_of(const fs::path& rows) {
  return fs::path(rows).replace_extension(".index");
}

uint64_t checksum_of(const ContentKey& key, std::span<const float> row) {
  return content_key(bytes_of(row), key.low ^ key.high).low;
}

SegmentWriter::SegmentWriter(const fs::path& folder) : folder_(folder) {
  std::error_code ignored;
  std::string name;
  // Twice: another process that drops segments removes empty folders.
  for (int attempt = 0; attempt < 2 && !rows_.is_open(); ++attempt) {
    fs::create_directories(folder, ignored);
    name = (folder / fmt::format("{}-XXXXXX.rows", ::getpid())).string();
    rows_ = Descriptor(::mkostemps(name.data(), 5, O_CLOEXEC | O_APPEND));
  }
  if (!rows_.is_open()) fail(folder, "written");
  ::fchmod(rows_.get(), 0644);
  fs::path index = index_of(name);
  index_ =
      Descriptor(::open(index.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
  if (!index_.is_open()) {
    int reason = errno;
    fs::remove(name, ignored);
    errno = reason;
    fail(folder, "written");
  }
}

void SegmentWriter::add(const ContentKey& key, std::span<const float> row) {
  index_buffer_.push_back({.key = key,
                           .offset = row_bytes_,
                           .checksum = checksum_of(key, row),
                           .width = static_cast<uint32_t>(row.size())});
  row_buffer_ += bytes_of(row);
  row_bytes_ += row.size_bytes();
  num_bytes_ += row.size_bytes() + sizeof(IndexRecord);
}

bool SegmentWriter::wants_flush() const {
  return row_buffer_.size() + index_buffer_.size() * sizeof(IndexRecord) >= kBufferBytes;
}

void SegmentWriter::flush() {
  write_all(rows_, row_buffer_, folder_);
  write_all(index_, bytes_of(std::span<const IndexRecord>(index_buffer_)), folder_);
  row_buffer_.clear();
  index_buffer_.clear();
}

Segment::Segment(fs::path rows, bool keeps_open) : rows_(std::move(rows)) {
  if (keeps_open) descriptor_ = Descriptor(::open(rows_.c_str(), O_RDONLY | O_CLOEXEC));
}

std::vector<IndexRecord> Segment::records(size_t most) const {
  Descriptor index(::open(index_of(rows_).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!index.is_open() || ::fstat(index.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  size_t count = std::min(most, static_cast<size_t>(status.st_size) / sizeof(IndexRecord));
  std::vector<IndexRecord> records(count);
  if (!read_all(index.get(), 0, records.data(), count * sizeof(IndexRecord))) return {};
  std::error_code unknown;
  uint64_t num_bytes = fs::file_size(rows_, unknown);
  if (unknown) return {};
  std::erase_if(records, [&](const IndexRecord& record) {
    return record.width > kMostNumbers || record.offset > num_bytes ||
           record.width * sizeof(float) > num_bytes - record.offset;
  });
  return records;
}

bool Segment::read(const IndexRecord& record, std::vector<float>& row) const {
  Descriptor opened;
  int file = descriptor_.get();
  if (file < 0) {
    opened = Descriptor(::open(rows_.c_str(), O_RDONLY | O_CLOEXEC));
    file = opened.get();
  }
  row.resize(record.width);
  return file >= 0 && read_all(file, record.offset, row.data(), row.size() * sizeof(float)) &&
         checksum_of(record.key, row) == record.checksum;
}

}  // namespace snellen::store
