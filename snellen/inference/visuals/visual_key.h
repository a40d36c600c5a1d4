// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "snellen/base/content_key.h"
#include "snellen/media/visual_place.h"

namespace snellen::inference {

// What tells visuals apart: the file, said by its path or by its content, and of a clip its window
// and its frames: two stretches of one video are two visuals, and so are a picture, a crop of it
// and its corruptions.
ContentKey visual_key(const media::VisualPlace& place, std::string_view file);

// Of what is shown where nothing is (media::shows_no_picture), whatever picture is left out.
ContentKey content_of_nothing();

}  // namespace snellen::inference
