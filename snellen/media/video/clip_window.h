// SPDX-License-Identifier: Apache-2.0
// Which decoded frames belong to a window. Knows timestamps only, no pixels.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "snellen/media/video/clip.h"

namespace snellen::media {

// A window in the stream's own units, both ends inclusive: timestamps, or frame numbers.
struct TimestampRange {
  int64_t first = std::numeric_limits<int64_t>::min();
  int64_t last = std::numeric_limits<int64_t>::max();
  // The latest timestamp that may stand in for the frame before (compat) or for an empty window
  // (default).
  int64_t last_before = std::numeric_limits<int64_t>::min();
};

// An error for times that are no numbers or an end before the start.
Result<TimestampRange> timestamp_range(const ClipWindow& window,
                                       const VideoInfo& info,
                                       const ClipRules& rules,
                                       const std::string& name);

// How many frames at or after the end are decoded before stopping: packed B-frames come out of
// order (torchvision's rule).
inline constexpr int kFramesPastTheEnd = 5;

}  // namespace snellen::media
