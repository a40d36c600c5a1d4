// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace snellen::media {
namespace {

constexpr int kBufferBytes = 1 << 16;

Result<bool> check_size(int64_t num_bytes, const std::string& name, const VideoLimits& limits) {
  if (num_bytes == 0) {
    return Error{ErrorCode::kInvalidInput, "has no bytes", name, "copy or download it again"};
  }
  if (num_bytes > limits.max_bytes) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("has {} bytes, the limit is {}", num_bytes, limits.max_bytes),
                 name,
                 "cut the clip out first"};
  }
  return true;
}

}  // namespace

ByteSource::ByteSource(int descriptor,
                       std::span<const uint8_t> bytes,
                       int64_t num_bytes,
                       Deadline deadline)
    : descriptor_(descriptor), memory_(bytes), num_bytes_(num_bytes), deadline_(deadline) {}

ByteSource::~ByteSource() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::filesystem::path& path,
                                                     const VideoLimits& limits,
                                                     Deadline deadline) {
  // Without O_NONBLOCK opening a FIFO waits for its writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("cannot be opened: {}", std::strerror(errno)),
                 path.string(),
                 "check the path"};
  }
  std::unique_ptr<ByteSource> source(new ByteSource(descriptor, {}, 0, deadline));
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return Error{ErrorCode::kInvalidInput,
                 "is not a plain file",
                 path.string(),
                 "give a video file, not a folder, pipe or device"};
  }
  source->num_bytes_ = facts.st_size;
  if (auto fits = check_size(source->num_bytes_, path.string(), limits); !fits) return fits.error();
  return source;
}

Result<std::unique_ptr<ByteSource>> ByteSource::over(std::span<const uint8_t> bytes,
                                                     const std::string& name,
                                                     const VideoLimits& limits,
                                                     Deadline deadline) {
  const auto num_bytes = static_cast<int64_t>(bytes.size());
  if (auto fits = check_size(num_bytes, name, limits); !fits) return fits.error();
  return std::unique_ptr<ByteSource>(new ByteSource(-1, bytes, num_bytes, deadline));
}

size_t ByteSource::read_at(int64_t offset, std::span<uint8_t> out) const {
  if (offset < 0 || offset >= num_bytes_) return 0;
  const size_t want = std::min(out.size(), static_cast<size_t>(num_bytes_ - offset));
  if (descriptor_ < 0) {
    std::memcpy(out.data(), memory_.data() + offset, want);
    return want;
  }
  size_t got = 0;
  while (got < want) {
    const ssize_t more = ::pread(descriptor_,
                                 out.data() + got,
                                 want - got,
                                 static_cast<off_t>(offset) + static_cast<off_t>(got));
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    got += static_cast<size_t>(more);
  }
  return got;
}

AVIOContext* ByteSource::rewound() {
  position_ = 0;
  auto* buffer = static_cast<uint8_t*>(av_malloc(kBufferBytes));
  SNELLEN_CHECK(buffer != nullptr);
  io_.reset(avio_alloc_context(buffer, kBufferBytes, 0, this, read_packet, nullptr, seek));
  SNELLEN_CHECK(io_ != nullptr);
  return io_.get();
}

int ByteSource::read_packet(void* self, uint8_t* buffer, int size) {
  auto* source = static_cast<ByteSource*>(self);
  if (source->is_late()) return AVERROR_EXIT;
  if (source->position_ >= source->num_bytes_) return AVERROR_EOF;
  const size_t got =
      source->read_at(source->position_, {buffer, static_cast<size_t>(std::max(size, 0))});
  if (got == 0) return AVERROR(EIO);
  source->position_ += static_cast<int64_t>(got);
  return static_cast<int>(got);
}

int64_t ByteSource::seek(void* self, int64_t offset, int whence) {
  auto* source = static_cast<ByteSource*>(self);
  int64_t base = 0;
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
      return source->num_bytes_;
    case SEEK_SET:
      break;
    case SEEK_CUR:
      base = source->position_;
      break;
    case SEEK_END:
      base = source->num_bytes_;
      break;
    default:
      return AVERROR(EINVAL);
  }
  if (__builtin_add_overflow(offset, base, &offset) || offset < 0) return AVERROR(EINVAL);
  source->position_ = offset;
  return offset;
}

}  // namespace snellen::media
