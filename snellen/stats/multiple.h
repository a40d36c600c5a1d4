// SPDX-License-Identifier: Apache-2.0
// p-values adjusted for testing several things at once; compare the adjusted values with alpha.
#pragma once

#include <span>
#include <vector>

namespace snellen::stats {

// Bounds the chance of any false finding (Holm 1979): one value per test, in the order given.
// Throws kInvalidInput for a p outside [0, 1] (NaN included).
std::vector<double> holm(std::span<const double> p_values);
}  // namespace snellen::stats
