// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

void check_interp(const Context& context, Tally& tally);

}  // namespace snellen::golden
