// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/visuals/visual_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/media/placed_picture.h"

namespace snellen::inference {

ContentKey visual_key(const media::VisualPlace& place, std::string_view file) {
  const std::string change = media::change_key(place);
  if (!place.clip)
    return change.empty() ? content_key(file) : content_key(fmt::format("{}{}", file, change), 2);
  auto shown = [](const std::optional<double>& bound) {
    return bound ? fmt::format("{}", *bound) : "";
  };
  const media::FrameSampler sampler = place.sampler.value_or(media::FrameSampler{.num_frames = 0});
  return content_key(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}{}",
                                 file,
                                 shown(place.clip->start),
                                 shown(place.clip->end),
                                 static_cast<int>(place.clip->unit),
                                 static_cast<int>(sampler.kind),
                                 sampler.num_frames,
                                 sampler.fps,
                                 fmt::join(place.frames, ","),
                                 change),
                     /*salt=*/1);
}

ContentKey content_of_nothing() {
  return content_key("nothing is shown", /*salt=*/3);
}

}  // namespace snellen::inference
