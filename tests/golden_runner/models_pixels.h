// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// The pixel stages of one fixture folder. Every picture (or frame) goes through the folder's own
// processor; bytes must be equal, floats within the stage's tolerance. A fixture without pictures
// adds nothing.
void check_pixel_stages(const std::filesystem::path& folder, Tally& tally);

}  // namespace snellen::golden
