// SPDX-License-Identifier: Apache-2.0
// What FFmpeg reads from: a plain file or bytes in memory, of a size fixed when it was opened,
// until a deadline.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "snellen/base/error.h"
#include "snellen/media/video/ffmpeg_handles.h"
#include "snellen/media/video/video_info.h"

namespace snellen::media {

using Deadline = std::chrono::steady_clock::time_point;

class ByteSource {
 public:
  // Refuses what is not a plain file (a FIFO never ends), is empty or is too large. A file that
  // grows afterwards is read only to the size it had.
  static Result<std::unique_ptr<ByteSource>> open(const std::filesystem::path& path,
                                                  const VideoLimits& limits,
                                                  Deadline deadline);
  static Result<std::unique_ptr<ByteSource>> over(std::span<const uint8_t> bytes,
                                                  const std::string& name,
                                                  const VideoLimits& limits,
                                                  Deadline deadline);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  int64_t num_bytes() const { return num_bytes_; }
  bool is_late() const { return std::chrono::steady_clock::now() >= deadline_; }
  // The bytes that are there; fewer than asked for at the end or when the disk fails.
  size_t read_at(int64_t offset, std::span<uint8_t> out) const;
  // For AVFormatContext::pb; lives as long as this object. Starts again at byte 0.
  AVIOContext* rewound();

 private:
  ByteSource(int descriptor, std::span<const uint8_t> bytes, int64_t num_bytes, Deadline deadline);
  static int read_packet(void* self, uint8_t* buffer, int size);
  static int64_t seek(void* self, int64_t offset, int whence);

  int descriptor_ = -1;              // of a file,
  std::span<const uint8_t> memory_;  // else the bytes
  int64_t num_bytes_ = 0;
  int64_t position_ = 0;
  Deadline deadline_;
  Io io_;
};

}  // namespace snellen::media
