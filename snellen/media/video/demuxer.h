// SPDX-License-Identifier: Apache-2.0
// The container: finds the video stream within the limits and gives its packets.
#pragma once

#include "snellen/media/video/byte_source.h"
#include "snellen/media/video/ffmpeg_handles.h"

namespace snellen::media {

// One thread at a time.
class Demuxer {
 public:
  // `source` must outlive the demuxer; it is read from its start.
  static Result<Demuxer> open(ByteSource& source,
                              const std::string& name,
                              const VideoLimits& limits);

  const AVStream& stream() const { return *stream_; }
  const VideoInfo& info() const { return info_; }
  // Whether timestamps after a seek are those of reading from the start.
  bool is_seekable() const;

  // The next packet of the video stream into `packet`; false at the end.
  Result<bool> next(AVPacket& packet);
  // To the last key packet before `pts`; false when the container cannot.
  bool seek(int64_t pts);

 private:
  Demuxer(ByteSource& source, std::string name) : source_(&source), name_(std::move(name)) {}
  Result<bool> open_container(const VideoLimits& limits);
  Result<bool> find_streams(const VideoLimits& limits);
  Result<bool> choose_stream(const VideoLimits& limits);
  void read_info();

  ByteSource* source_;
  std::string name_;
  FormatInput format_;
  AVStream* stream_ = nullptr;
  VideoInfo info_;
};

// The item error of a file that took longer than its limit.
Error too_slow(const std::string& name, const VideoLimits& limits);
Error damaged(const std::string& name, std::string what);

}  // namespace snellen::media
