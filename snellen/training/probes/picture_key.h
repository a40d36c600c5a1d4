// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "snellen/base/error.h"
#include "snellen/media/processor/image_processor.h"
#include "snellen/media/visual_place.h"

namespace snellen::training {

// The same for the same file shown in the same way, whichever source names it.
std::string picture_key(const media::VisualPlace& place);

// A picture as the model takes it: decoded, cropped and corrupted as its place says, resized.
Result<media::Image> read_picture(const media::VisualPlace& place,
                                  const media::ImageProcessor& processor);

}  // namespace snellen::training
