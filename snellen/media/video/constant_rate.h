// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "snellen/media/video/video_info.h"

namespace snellen::media {

// How often each frame is shown at a constant rate, as ffmpeg's `fps` filter decides: a frame's
// time after the first one is rounded to the nearest tick (halves away from zero) and it is shown
// from its tick to the next frame's; a frame that shares its tick with the next one is dropped.
class ConstantRate {
 public:
  // Both positive.
  ConstantRate(Rational time_base, Rational rate);

  // A frame came: how often the one before it is shown (0 for the first call). Timestamps that go
  // back show the frame before 0 times.
  int64_t next(int64_t pts);
  // Nothing more comes and the last frame lasts until `end_pts`: how often it is shown.
  int64_t finish(int64_t end_pts);

 private:
  int64_t tick_of(int64_t pts) const;

  Rational time_base_;
  Rational rate_;
  std::optional<int64_t> first_pts_;
  int64_t next_tick_ = 0;
};

}  // namespace snellen::media
