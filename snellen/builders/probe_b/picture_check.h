// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "snellen/media/image.h"
#include "snellen/media/masks/mask.h"

namespace snellen::builders::probe_b {

// Compares a made picture with what it should show: `picture` where the mask is marked, `canvas`
// elsewhere. Only blocks of 8 x 8 pixels on one side of the mask count, and means over each side,
// so that JPEG's own losses (a few levels) pass and a wrong picture does not. Empty, or what is
// wrong.
std::string difference_from(const media::Image& made,
                            const media::Image& picture,
                            const media::Mask& mask,
                            const media::Image& canvas);

}  // namespace snellen::builders::probe_b
