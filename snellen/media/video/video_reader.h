// SPDX-License-Identifier: Apache-2.0
// Decodes the first video stream of a file, frame by frame in presentation order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/media/image.h"
#include "snellen/media/video/video_info.h"

struct AVFrame;

namespace snellen::media {

struct AVFrameDeleter {
  void operator()(AVFrame* frame) const;
};

// One decoded picture; the pixels are shared between copies made by share() and never change.
class VideoFrame {
 public:
  VideoFrame() = default;
  VideoFrame(std::unique_ptr<AVFrame, AVFrameDeleter> frame, int64_t pts, int64_t duration);

  bool is_empty() const { return frame_ == nullptr; }
  // In units of the stream's time base: the best-effort timestamp.
  int64_t pts() const { return pts_; }
  // In the same units; 0 when the file does not say.
  int64_t duration() const { return duration_; }
  int width() const;
  int height() const;
  std::string pixel_format() const;
  // Of the pixels, as decoded.
  int64_t num_bytes() const;
  // The planes as decoded, each row cut to its width, one plane after another.
  std::vector<uint8_t> planes() const;
  VideoFrame share() const;

  const AVFrame* get() const { return frame_.get(); }

 private:
  std::unique_ptr<AVFrame, AVFrameDeleter> frame_;
  int64_t pts_ = 0;
  int64_t duration_ = 0;
};

// One thread at a time. Every error is kInvalidInput (or kNotFound) with the file in `where`.
class VideoReader {
 public:
  // Opens a plain file; what it holds decides the format, not its name. A file that another file
  // would have to complete (a playlist) is not a video here.
  static Result<VideoReader> open(const std::filesystem::path& path,
                                  const VideoLimits& limits = {});
  // The same over bytes in memory, which must outlive the reader; `name` stands for the file.
  static Result<VideoReader> open_bytes(std::span<const uint8_t> bytes,
                                        std::string name,
                                        const VideoLimits& limits = {});
  ~VideoReader();
  VideoReader(VideoReader&&) noexcept;
  VideoReader& operator=(VideoReader&&) noexcept;

  const std::string& name() const;
  const VideoInfo& info() const;

  // The next frame; an empty one at the end.
  Result<VideoFrame> next();
  // Goes to where decoding can begin so that the frame on show at `pts` and all after it are given
  // exactly as reading from the start would give them. Frames shown earlier may come first.
  Result<bool> seek_before(int64_t pts);
  // Back to the first frame.
  Result<bool> rewind();
  // 8-bit RGB by swscale's bilinear conversion with the frame's own colour space and range: equal
  // to PyAV's to_rgb() for 8-bit streams of even size.
  Result<Image> to_rgb(const VideoFrame& frame);

 private:
  struct State;
  explicit VideoReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// "FFmpeg 59.37.100" or why there is none, for `doctor`.
std::string video_support();
bool has_video_support();

}  // namespace snellen::media
