// SPDX-License-Identifier: Apache-2.0
// Between frame numbers and seconds (docs/spec/vilma.md 6).
#pragma once

#include <cstdint>

namespace snellen::media {

// round(frame / fps, 4) as Python rounds; fps > 0.
double seconds_of_frame(double frame, double fps);

// Where a frame of a video lies once the video is normalised: frame / fps * target_fps, half to
// even; fps > 0.
int64_t normalized_frame(double frame, double fps, double target_fps);

}  // namespace snellen::media
