// SPDX-License-Identifier: Apache-2.0
// A stretch of a video and the frames chosen from it (docs/spec/vilma.md 2.6, quirk 11).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "snellen/media/image.h"
#include "snellen/media/video/frame_sampling.h"
#include "snellen/media/video/video_reader.h"

namespace snellen::media {

enum class ClipUnit {
  kSeconds,  // default: from the first frame; compat: of the container's timestamps
  kFrames,   // frame numbers, start inclusive, end exclusive
};

struct ClipWindow {
  std::optional<double> start = {};  // nothing: from the start
  std::optional<double> end = {};    // nothing: to the end
  ClipUnit unit = ClipUnit::kSeconds;
};

struct ClipRules {
  // Default: frames with start <= time < end, times compared with the 0.00005 s to which published
  // seconds are rounded; a window between two frames gives the one on show at its start.
  // Compat (torchvision 0.14 read_video): both ends inclusive after rounding outwards to the time
  // base, and the frame before when none lies exactly at the start; an end of 0 is no end.
  bool is_compat = false;
  VideoLimits limits = {};
};

struct Clip {
  std::vector<Image> frames;    // as chosen, repeats included
  std::vector<double> seconds;  // the container's time of each
  int64_t num_frames = 0;       // of the whole window
  Rational average_rate;        // of the stream, frames per second
};

// Given the times of all frames of the window, which are shown: indices into them, any order.
using ChooseFrames = std::function<FrameIndices(std::span<const double> seconds)>;

// Every frame.
FrameIndices all_frames(std::span<const double> seconds);
// As --sampler says; `window` is needed (and drawn from) by kWindow only.
ChooseFrames chosen_by(const FrameSampler& sampler, WindowSampler* window);

// Safe from many threads. A window without a frame is an error; so is a clip of more RGB bytes than
// the limit.
Result<Clip> read_clip(const std::filesystem::path& path,
                       const ClipWindow& window,
                       const ChooseFrames& choose = all_frames,
                       const ClipRules& rules = {});
// The same from a reader that has given no frame yet or was rewound.
Result<Clip> read_clip(VideoReader& reader,
                       const ClipWindow& window,
                       const ChooseFrames& choose,
                       const ClipRules& rules);

// Gives the window's frames one by one, in the order of their times, as decoded.
Result<bool> for_each_frame(VideoReader& reader,
                            const ClipWindow& window,
                            const ClipRules& rules,
                            const std::function<void(const VideoFrame&)>& take);

}  // namespace snellen::media
