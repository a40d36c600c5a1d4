// SPDX-License-Identifier: Apache-2.0
// New videos from old ones (docs/spec/vilma.md 6): a constant frame rate, and a stretch cut out.
// Sound is left out: no model here hears.
#pragma once

#include <filesystem>

#include "snellen/media/video/clip.h"
#include "snellen/media/video/video_writer.h"

namespace snellen::media {

struct TranscodeOptions {
  VideoLimits limits = {};
  int crf = 23;
  std::string preset = "medium";
};

struct Transcoded {
  int64_t num_read = 0;
  int64_t num_written = 0;
};

// The whole video at `rate` frames per second, as ffmpeg's `fps` filter repeats and drops frames,
// starting at 0. An unreadable input is an error of the item; trouble with the output throws.
Result<Transcoded> normalize_rate(const std::filesystem::path& input,
                                  const std::filesystem::path& output,
                                  Rational rate,
                                  const TranscodeOptions& options = {});

// The frames of a window (clip.h), the first at 0. Default: each at its own time, so that a
// variable rate stays one; compat: one after another at the average rate.
Result<Transcoded> cut_clip(const std::filesystem::path& input,
                            const std::filesystem::path& output,
                            const ClipWindow& window,
                            bool is_compat,
                            const TranscodeOptions& options = {});

}  // namespace snellen::media
