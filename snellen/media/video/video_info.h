// SPDX-License-Identifier: Apache-2.0
// What a video file says about itself, and how much of one we are willing to read.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace snellen::media {

struct Rational {
  int num = 0;
  int den = 1;

  double value() const { return den == 0 ? 0 : static_cast<double>(num) / den; }
  bool operator==(const Rational&) const = default;
};

// Whatever goes beyond is an item error that names the limit.
struct VideoLimits {
  int64_t max_bytes = int64_t{16} << 30;      // of the file
  unsigned max_streams = 64;                  // in the container
  double max_seconds = 24 * 3600;             // the container's own claim
  int64_t max_frames = 1'000'000;             // decoded, counted from where reading began
  int64_t max_pixels = int64_t{1} << 26;      // of one frame
  int64_t max_clip_bytes = int64_t{2} << 30;  // of the RGB frames of one clip held at once
  // Decoded frames of a clip are kept up to here; a longer one is decoded twice.
  int64_t max_kept_bytes = int64_t{256} << 20;
  std::chrono::milliseconds timeout{120'000};  // of the clock on the wall, for one opened file
  // Frames that the decoder had to patch up are given as they are instead of being an error.
  bool accepts_damaged = false;
};

struct VideoInfo {
  std::string container;     // as FFmpeg names it: "mov,mp4,m4a,3gp,3g2,mj2"
  std::string codec;         // "h264"
  std::string pixel_format;  // "yuv420p"
  int width = 0;             // as coded: rotation is not applied
  int height = 0;
  int rotation_degrees = 0;             // clockwise, what a player would apply; 0, 90, 180 or 270
  Rational time_base;                   // seconds of one unit of a timestamp
  Rational average_rate;                // frames per second; num 0 when unknown
  std::optional<int64_t> start_pts;     // of the video stream
  std::optional<double> seconds;        // the container's claim
  std::optional<int64_t> frames_claim;  // the container's claim
  unsigned num_streams = 0;
  bool has_audio = false;
  int64_t num_bytes = 0;
};

}  // namespace snellen::media
