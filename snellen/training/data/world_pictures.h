// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/eyechart/world/motion.h"
#include "snellen/eyechart/world/scene.h"
#include "snellen/media/image.h"
#include "snellen/media/processor/image_processor.h"

namespace snellen::training {

// Scenes of the eyechart as a model sees them in an evaluation: rendered in full size, then through
// the model's own preprocessing.
class WorldPictures {
 public:
  explicit WorldPictures(const media::ImageProcessor& processor) : processor_(processor) {}

  media::Image picture(const eyechart::Scene& scene) const;
  // `count` frames evenly over frames first .. last of a script.
  std::vector<media::Image> frames(const eyechart::ClipScript& script,
                                   int first,
                                   int last,
                                   int count) const;

 private:
  const media::ImageProcessor& processor_;
};

}  // namespace snellen::training
