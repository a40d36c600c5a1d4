// SPDX-License-Identifier: Apache-2.0
// Writes frames into a video file: H.264 by libx264 where the container (named by the path's
// ending) takes it, else that container's own codec.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "snellen/media/image.h"
#include "snellen/media/video/video_reader.h"

namespace snellen::media {

struct VideoWriteOptions {
  Rational rate{30, 1};      // nominal frames per second
  Rational time_base{0, 1};  // of the timestamps given; num 0: one frame of `rate`
  int crf = 23;              // x264's default quality
  std::string preset = "medium";
  int rotation_degrees = 0;  // told to players; pixels are not turned
};

// The file appears whole, with finish(), or not at all. The first frame decides size and pixel
// format: yuv420p for pictures, or yuv444p when a side is odd (H.264 has no odd 4:2:0); decoded
// frames keep their format and colours where the encoder knows them. Encoding is single-threaded,
// so that the same frames give the same bytes on every machine. One thread at a time.
//
// All functions throw Error: kUsage for an unknown ending, kInvalidInput for frames that do not go
// into one file, kIo when writing fails.
class VideoWriter {
 public:
  explicit VideoWriter(std::filesystem::path path, VideoWriteOptions options = {});
  ~VideoWriter();
  VideoWriter(VideoWriter&&) noexcept;
  VideoWriter& operator=(VideoWriter&&) noexcept;

  // Timestamps must grow from frame to frame.
  void write(const Image& image, int64_t pts);
  void write(const VideoFrame& frame, int64_t pts);
  // Throws when nothing was written.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace snellen::media
