// SPDX-License-Identifier: Apache-2.0
// Which frames of a clip of T frames are shown (docs/spec/vilma.md 5.1, 5.6, 6). All functions give
// indices in [0, T), pure and safe from many threads.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::media {

using FrameIndices = std::vector<int64_t>;

// Centres of `count` equal segments, floor((i + 0.5) * T / count); a clip with fewer frames gives
// all of them, then repeats the last. T and count at least 1.
FrameIndices uniform_frames(int64_t num_frames, int64_t count);

// The reference's sampler: consecutive frames at a random place, never the last frame; numpy's
// legacy generator, one draw per clip of more than `count` * `rate` frames. A shorter clip gives
// all its frames (stretched over the window when rate > 1), then repeats the last. One thread at a
// time: the draws of a run are one stream, in the order of the item ids.
class WindowSampler {
 public:
  explicit WindowSampler(uint32_t seed = 0) : words_(seed) {}

  struct Window {
    std::optional<int64_t> end;  // nothing when no draw was made
    FrameIndices indices;
  };
  Window next(int64_t num_frames, int64_t count, int64_t rate = 1);

 private:
  int64_t draw(int64_t low, int64_t high);  // uniform in [low, high]

  std::mt19937 words_;  // its numbers are fixed by the C++ standard and equal numpy's
};

// VIOLET's four: 0, floor(2T/6), floor(3T/6), T-1.
FrameIndices violet_frames(int64_t num_frames);

// The reference's contact strip: every ceil(T/count)-th frame below T-1; none when T is 1.
FrameIndices summary_frames_compat(int64_t num_frames, int64_t count);

// The frame on show at 0, 1/fps, 2/fps, ... seconds after the first, up to the last frame's time.
// `seconds` are the frames' times, not decreasing; fps > 0. At most `max_count` indices.
FrameIndices frames_at_rate(std::span<const double> seconds, double fps, size_t max_count);

// --sampler uniform | window | all | fps:N, with --num-frames.
struct FrameSampler {
  enum class Kind { kUniform, kWindow, kAll, kRate };
  Kind kind = Kind::kUniform;
  int64_t num_frames = 8;
  double fps = 0;  // kRate only

  static Result<FrameSampler> parse(std::string_view text, int64_t num_frames);
};

}  // namespace snellen::media
