// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// bias/noise_stats.json: both random streams, exact expectations, and samples on the real pictures
// (docs/spec/bias.md 1.3).
void check_noise_stats(const Context& context, Tally& tally);

}  // namespace snellen::golden
