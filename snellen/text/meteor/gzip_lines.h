// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace snellen::text::meteor {

// The lines of gzip bytes (one or more members), unpacked piece by piece: memory does not grow with
// the file. A line ends at LF, a CR before it is dropped; bytes after the last LF are a line too.
// Lines are valid UTF-8. Throws kInvalidInput with the line number for damaged data, ill-formed
// UTF-8 and lines over 1 MiB.
class GzipLines {
 public:
  // `where` names the file in errors. `packed` must outlive this.
  GzipLines(std::string_view packed, std::string where);
  ~GzipLines();
  GzipLines(const GzipLines&) = delete;
  GzipLines& operator=(const GzipLines&) = delete;

  // False at the end. The view holds until the next call.
  bool next(std::string_view& line);
  // The number of the line last given, from 1.
  uint64_t line_number() const { return line_number_; }
  // An error about the line last given.
  [[noreturn]] void fail(std::string what) const;

 private:
  struct Stream;
  void refill();
  void unpack();
  void check_utf8(size_t begin) const;

  std::string_view packed_;
  std::string where_;
  std::unique_ptr<Stream> stream_;
  std::string buffer_;  // [at_, valid_end_) is unpacked, checked and not yet given
  size_t at_ = 0;
  size_t filled_ = 0;     // unpacked bytes in the buffer
  size_t valid_end_ = 0;  // end of its last whole line
  bool is_done_ = false;  // everything is unpacked
  uint64_t line_number_ = 0;
};

}  // namespace snellen::text::meteor
