// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/network/visual_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace snellen::run {

ContentKey visual_key(const media::VisualPlace& place, std::string_view file) {
  if (!place.clip) return content_key(file);
  auto shown = [](const std::optional<double>& bound) {
    return bound ? fmt::format("{}", *bound) : "";
  };
  const media::FrameSampler sampler = place.sampler.value_or(media::FrameSampler{.num_frames = 0});
  return content_key(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}",
                                 file,
                                 shown(place.clip->start),
                                 shown(place.clip->end),
                                 static_cast<int>(place.clip->unit),
                                 static_cast<int>(sampler.kind),
                                 sampler.num_frames,
                                 sampler.fps,
                                 fmt::join(place.frames, ",")),
                     /*salt=*/1);
}

}  // namespace snellen::run
