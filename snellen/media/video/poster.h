// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "snellen/base/error.h"
#include "snellen/media/image.h"

namespace snellen::media {

// The frame in the middle of a video, which stands for it.
Result<Image> poster_frame(const std::filesystem::path& path);

}  // namespace snellen::media
