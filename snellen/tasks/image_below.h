// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/media/visual_place.h"

namespace snellen::tasks {

// The picture `name` below the folder that --root-image-dir names. kUsage when no folder was named,
// kInvalidInput for a name that leaves it.
Result<media::VisualPlace> image_below(const std::filesystem::path& folder, std::string_view name);

}  // namespace snellen::tasks
