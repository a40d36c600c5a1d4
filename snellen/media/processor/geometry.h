// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/base/error.h"
#include "snellen/media/processor/processor_config.h"
#include "snellen/media/resample/resize.h"

namespace snellen::media {

// Where the pixels of a processed picture come from.
struct Geometry {
  int resized_width = 0;
  int resized_height = 0;
  Rectangle window;  // the part of the resized picture that stays
  int width = 0;     // of the result
  int height = 0;
  int left = 0;  // where the window lies in the result; the rest is black
  int top = 0;
};

// kInvalidInput for a picture whose result would have no pixels or too many. Arithmetic as the
// reference does it, in double and truncated, so the sizes are equal to the last pixel.
Result<Geometry> geometry_of(const ProcessorConfig& config, int width, int height);

}  // namespace snellen::media
