// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// The stages of one fixture folder behind tokens and pixels, from its stored inputs.
void check_network_stages(const std::filesystem::path& folder, Tally& tally);

}  // namespace snellen::golden
