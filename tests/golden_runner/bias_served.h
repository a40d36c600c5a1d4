// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// bias/cache_mock.json: keys under which answers are kept, and what the mock server answers in its
// mode `hash` (docs/spec/bias.md 3.5, 3.8).
void check_cache_mock(const Context& context, Tally& tally);

}  // namespace snellen::golden
