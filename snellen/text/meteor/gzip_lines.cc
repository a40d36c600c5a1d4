// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/gzip_lines.h"

#include <algorithm>
#include <cstring>

#include <simdjson.h>
#include <zlib.h>

#include "snellen/base/error.h"

namespace snellen::text::meteor {
namespace {

constexpr size_t kMaxLineBytes = size_t{1} << 20;
constexpr size_t kBufferBytes = 2 * kMaxLineBytes;
constexpr int kGzipOnly = 15 + 16;  // zlib's window bits for a gzip header, no other

}  // namespace

struct GzipLines::Stream {
  z_stream z{};
};

GzipLines::GzipLines(std::string_view packed, std::string where)
    : packed_(packed),
      where_(std::move(where)),
      stream_(std::make_unique<Stream>()),
      buffer_(kBufferBytes, '\0') {
  if (inflateInit2(&stream_->z, kGzipOnly) != Z_OK) {
    throw Error{ErrorCode::kInternal, "zlib cannot start", where_};
  }
}

GzipLines::~GzipLines() {
  inflateEnd(&stream_->z);
}

void GzipLines::fail(std::string what) const {
  throw Error{ErrorCode::kInvalidInput,
              std::move(what),
              fmt::format("{}: line {}", where_, line_number_),
              "fetch the file again, or give another one"};
}

bool GzipLines::next(std::string_view& line) {
  if (at_ == valid_end_ && !is_done_) refill();
  if (at_ == filled_) return false;
  ++line_number_;
  const char* begin = buffer_.data() + at_;
  const void* found = std::memchr(begin, '\n', filled_ - at_);
  size_t size = found != nullptr ? static_cast<size_t>(static_cast<const char*>(found) - begin)
                                 : filled_ - at_;
  at_ += size + (found != nullptr ? 1 : 0);
  line = {begin, size};
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

// Moves the unfinished line to the front, unpacks behind it and checks what came.
void GzipLines::refill() {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(at_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(filled_),
            buffer_.begin());
  filled_ -= at_;
  at_ = 0;
  valid_end_ = 0;
  while (filled_ < kBufferBytes && !is_done_) unpack();
  size_t last = std::string_view(buffer_).substr(0, filled_).rfind('\n');
  valid_end_ = is_done_ ? filled_ : last + 1;
  if (!is_done_ && last == std::string_view::npos) {
    ++line_number_;
    fail(fmt::format("a line is longer than {} bytes", kMaxLineBytes));
  }
  check_utf8(0);
}

void GzipLines::unpack() {
  z_stream& z = stream_->z;
  size_t take = std::min(packed_.size(), size_t{1} << 30);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
  z.avail_in = static_cast<uInt>(take);
  z.next_out = reinterpret_cast<Bytef*>(buffer_.data() + filled_);
  z.avail_out = static_cast<uInt>(kBufferBytes - filled_);
  int status = inflate(&z, Z_NO_FLUSH);
  packed_.remove_prefix(take - z.avail_in);
  filled_ = kBufferBytes - z.avail_out;
  if (status == Z_STREAM_END) {
    // Another member may follow; zeros are padding.
    size_t padding = std::min(packed_.find_first_not_of('\0'), packed_.size());
    packed_.remove_prefix(padding);
    is_done_ = packed_.empty();
    if (!is_done_ && inflateReset(&z) != Z_OK) fail("zlib cannot start again");
    return;
  }
  bool is_stuck = status == Z_BUF_ERROR && z.avail_out != 0;
  if ((status != Z_OK && status != Z_BUF_ERROR) || is_stuck ||
      (packed_.empty() && z.avail_out != 0)) {
    line_number_ +=
        static_cast<uint64_t>(std::count(
            buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), '\n')) +
        1;
    fail(packed_.empty() ? "the gzip data end too early"
                         : fmt::format("the gzip data are damaged: {}",
                                       z.msg != nullptr ? z.msg : "no reason given"));
  }
}

void GzipLines::check_utf8(size_t begin) const {
  if (simdjson::validate_utf8(buffer_.data() + begin, valid_end_ - begin)) return;
  uint64_t number = line_number_;
  for (size_t at = begin; at < valid_end_;) {
    size_t end = std::min(buffer_.find('\n', at), valid_end_);
    ++number;
    if (!simdjson::validate_utf8(buffer_.data() + at, end - at)) {
      throw Error{ErrorCode::kInvalidInput,
                  "a line is not valid UTF-8",
                  fmt::format("{}: line {}", where_, number),
                  "fetch the file again, or convert it to UTF-8"};
    }
    at = end + 1;
  }
}

}  // namespace snellen::text::meteor
