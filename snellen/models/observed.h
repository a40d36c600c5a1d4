// SPDX-License-Identifier: Apache-2.0
// What some models tell beyond their scores, for people who look at a run afterwards. A Model that
// can tell it is an Observed too.
#pragma once

#include <string>
#include <vector>

#include "snellen/media/image.h"
#include "snellen/models/model.h"

namespace snellen::models {

// A visual as the model is shown it.
struct View {
  media::Image whole = {};                 // of a picture: as it was decoded
  std::vector<media::Image> shown = {};    // one, or the frames of a clip
  std::vector<double> frame_seconds = {};  // of a clip: the container's times of its frames
};

// What a model makes of a picture and its texts before that becomes a score: of one that looks at
// both together a row per text, else a row for the picture and then one per text.
struct Features {
  bool is_joint = false;
  std::vector<std::vector<float>> rows = {};
};

// Const methods are safe from many threads.
class Observed {
 public:
  virtual ~Observed() = default;
  // An Error where that is not known, or the file cannot be read.
  virtual Result<View> view(const media::VisualPlace& place) const = 0;
  virtual bool has_features() const = 0;
  // Whether the ask's visuals and texts are part of the plan that was worked through last.
  virtual bool knows(const Ask& ask) const = 0;
  // Of the first question of an ask that is known. May be asked where has_features().
  virtual Result<Features> features(const Ask& ask) const = 0;
};

}  // namespace snellen::models
