// SPDX-License-Identifier: Apache-2.0
// What a visual's place says is done to its picture before anybody looks at it.
#pragma once

#include <optional>
#include <string>

#include "snellen/base/error.h"
#include "snellen/media/image.h"
#include "snellen/media/visual_place.h"

namespace snellen::media {

// What tells one crop or corruption of a picture from another; empty for the picture as it is.
std::string change_key(const VisualPlace& place);

// Whether the place is there, but no picture of it is shown (`none`). Who reads pictures for a
// model that can do without asks first.
bool shows_no_picture(const VisualPlace& place);

// The picture (or frame of a clip, which draws for itself) cropped and corrupted as the place says.
Result<Image> as_placed(Image picture,
                        const VisualPlace& place,
                        std::optional<size_t> frame = std::nullopt);

// The frames of a clip that its place asks for, in its order; `usual_frames` of them, evenly
// spread, where it says nothing. The place must outlive it.
ChooseFrames frames_as_placed(const VisualPlace& place, int64_t usual_frames);

}  // namespace snellen::media
