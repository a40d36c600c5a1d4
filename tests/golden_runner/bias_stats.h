// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// bias/stats.json: Wilson, McNemar, quantiles, bootstraps (docs/spec/bias.md 4.4).
void check_bias_stats(const Context& context, Tally& tally);

}  // namespace snellen::golden
