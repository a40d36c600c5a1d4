// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

void check_mask(const Context& context, Tally& tally);
// The pixels of construct_b.json, and its groups (probe_construct.h).
void check_construct_b(const Context& context, Tally& tally);

}  // namespace snellen::golden
