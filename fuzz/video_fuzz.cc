// SPDX-License-Identifier: Apache-2.0
// A video of any bytes: refused with an Error, or a few frames and a window of it are read within
// the limits.
#include <cstdint>
#include <span>

#include "snellen/media/video/clip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace snellen::media;
  VideoLimits limits;
  limits.max_frames = 8;
  limits.max_pixels = 256 * 256;
  limits.max_kept_bytes = 1 << 18;
  limits.timeout = std::chrono::milliseconds(2000);
  limits.accepts_damaged = size % 2 == 0;
  auto opened = VideoReader::open_bytes({data, size}, "fuzz", limits);
  if (!opened) return 0;
  VideoReader reader = std::move(opened).value();
  ClipRules rules;
  rules.limits = limits;
  rules.is_compat = size % 3 == 0;
  (void)read_clip(reader, {0.1, 0.3}, all_frames, rules);
  if (!reader.rewind()) return 0;
  for (int i = 0; i < 8; ++i) {
    const auto frame = reader.next();
    if (!frame || frame->is_empty()) return 0;
    (void)reader.to_rgb(*frame);
  }
  return 0;
}
