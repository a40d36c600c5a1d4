// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/data/world_pictures.h"

#include <algorithm>

#include "snellen/eyechart/world/backdrop.h"
#include "snellen/eyechart/world/render.h"

namespace snellen::training {

media::Image WorldPictures::picture(const eyechart::Scene& scene) const {
  return processor_.to_bytes(eyechart::render_image(scene)).value();
}

std::vector<media::Image> WorldPictures::frames(const eyechart::ClipScript& script,
                                                int first,
                                                int last,
                                                int count) const {
  eyechart::Canvas backdrop = eyechart::Canvas::blank(eyechart::kClipSide, eyechart::kClipSide);
  eyechart::paint_backdrop(backdrop, script.backdrop);
  std::vector<media::Image> frames;
  int length = std::max(last - first + 1, 1);
  for (int i = 0; i < count; ++i) {
    int frame = first + (2 * i + 1) * length / (2 * count);
    frames.push_back(
        processor_.to_bytes(eyechart::render_over(backdrop, eyechart::scene_at(script, frame)))
            .value());
  }
  return frames;
}

}  // namespace snellen::training
