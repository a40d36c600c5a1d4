// SPDX-License-Identifier: Apache-2.0
// Pixel formats into each other by swscale, keeping its tables between frames of one kind.
#pragma once

#include "snellen/media/image.h"
#include "snellen/media/video/ffmpeg_handles.h"

namespace snellen::media {

// One thread at a time.
class FrameConverter {
 public:
  // The frame in another pixel format and the same size; nothing when swscale cannot do it.
  Frame convert(const AVFrame& frame, AVPixelFormat format);
  // The frame as a picture; its size must be within int.
  bool to_image(const AVFrame& frame, Image& image);

 private:
  bool prepare(const AVFrame& frame, int height, AVPixelFormat format);
  bool convert_field(const AVFrame& frame, AVFrame& converted, int field, int num_fields);

  Scaler scaler_;
  // What scaler_ was made for.
  int width_ = 0;
  int height_ = 0;
  int from_ = -1;
  int to_ = -1;
  int colour_space_ = -1;
  int range_ = -1;
};

// An RGB24 frame with the picture's pixels.
Frame frame_of(const Image& image);

}  // namespace snellen::media
