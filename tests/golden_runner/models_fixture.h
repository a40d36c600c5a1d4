// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// A checkpoint folder with its fixture, stage by stage as `snellen check` compares them: tokens and
// pixels from its files, the network from both and from the stored inputs.
void check_fixture(const Context& context, Tally& tally);

}  // namespace snellen::golden
