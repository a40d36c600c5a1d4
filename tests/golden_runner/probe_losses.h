// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// probe/losses.json: the losses of fine-tuning (docs/spec/probe.md 7.3). Skips in a build without
// torch.
void check_losses(const Context& context, Tally& tally);

}  // namespace snellen::golden
