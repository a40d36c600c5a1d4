// SPDX-License-Identifier: Apache-2.0
// The small picture of a file and what the model was shown of it, as files of RUN/thumbs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "snellen/base/content_key.h"
#include "snellen/media/visual_place.h"
#include "snellen/models/observed.h"

namespace snellen::run {

struct WantedPicture {
  media::VisualPlace place;
  std::string name;                              // of the visual
  std::string control = {};                      // of a rung
  std::optional<ContentKey> key = std::nullopt;  // of the file; without it there is no picture
};

// The files of one visual, by name.
struct MadePictures {
  std::string small;  // its name among the files; empty: none, as of a rung
  bool is_of_rung = false;
  std::vector<std::pair<std::string, std::string>> files;
};

// `observed` may be null, for a model that does not tell what it is shown. Safe from many threads.
MadePictures made_pictures(const WantedPicture& wanted, const models::Observed* observed);

}  // namespace snellen::run
