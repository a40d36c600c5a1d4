// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/golden_runner/golden.h"

namespace snellen::golden {

// resize.json: bilinear and bicubic pixels, and the sizes of CLIP's and ViLT's geometry.
void check_resize(const Context& context, Tally& tally);

}  // namespace snellen::golden
