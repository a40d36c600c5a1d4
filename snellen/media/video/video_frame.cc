// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/ffmpeg_handles.h"
#include "snellen/media/video/video_reader.h"

namespace snellen::media {

VideoFrame::VideoFrame(std::unique_ptr<AVFrame, AVFrameDeleter> frame,
                       int64_t pts,
                       int64_t duration)
    : frame_(std::move(frame)), pts_(pts), duration_(duration) {}

int VideoFrame::width() const {
  return frame_->width;
}

int VideoFrame::height() const {
  return frame_->height;
}

std::string VideoFrame::pixel_format() const {
  const char* name = av_get_pix_fmt_name(static_cast<AVPixelFormat>(frame_->format));
  return name == nullptr ? "unknown" : name;
}

int64_t VideoFrame::num_bytes() const {
  const int size = av_image_get_buffer_size(
      static_cast<AVPixelFormat>(frame_->format), frame_->width, frame_->height, 1);
  SNELLEN_CHECK(size > 0);
  return size;
}

std::vector<uint8_t> VideoFrame::planes() const {
  const auto format = static_cast<AVPixelFormat>(frame_->format);
  const int size = static_cast<int>(num_bytes());
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  const int written = av_image_copy_to_buffer(
      bytes.data(), size, frame_->data, frame_->linesize, format, frame_->width, frame_->height, 1);
  SNELLEN_CHECK(written == size);
  return bytes;
}

VideoFrame VideoFrame::share() const {
  if (is_empty()) return {};
  std::unique_ptr<AVFrame, AVFrameDeleter> other(av_frame_clone(frame_.get()));
  SNELLEN_CHECK(other != nullptr);
  return VideoFrame(std::move(other), pts_, duration_);
}

}  // namespace snellen::media
