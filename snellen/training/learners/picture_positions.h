// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace snellen::training {

// Where the position table of a new picture tower starts: two-dimensional sines and cosines, the
// first half of the channels for x, the second for y. Tables that start from noise alone stay
// mirror-symmetric in x, and a model that learns with them cannot tell left from right
// (docs/training.md). [num_rows, width] in row-major order: row 0 is the class token's and is zero,
// the others are the patches of a square grid. Empty where the rows are no square grid and one
// more, or the width is not divisible by four.
std::vector<float> picture_positions(int64_t num_rows, int64_t width);

}  // namespace snellen::training
