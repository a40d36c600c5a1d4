// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace snellen::run {

// Pictures per GPU batch of the run that is in the folder, which goes on with as many; 0 where
// there is no run, or one that stamped none or nonsense. Throws kInvalidInput for a stamp that is
// no JSON.
uint32_t stamped_batch(const std::filesystem::path& run_folder);

}  // namespace snellen::run
