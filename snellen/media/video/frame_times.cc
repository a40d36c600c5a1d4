// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/frame_times.h"

#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::media {

double seconds_of_frame(double frame, double fps) {
  SNELLEN_CHECK(fps > 0 && std::isfinite(frame));
  // Correctly rounded decimal of the exact binary value, as Python's round() gives.
  const std::string text = fmt::format("{:.4f}", frame / fps);
  double seconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  return seconds;
}

int64_t normalized_frame(double frame, double fps, double target_fps) {
  SNELLEN_CHECK(fps > 0);
  const double moved = std::nearbyint(frame / fps * target_fps);
  SNELLEN_CHECK(std::abs(moved) < 0x1p62);
  return static_cast<int64_t>(moved);
}

}  // namespace snellen::media
