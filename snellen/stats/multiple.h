// SPDX-License-Identifier: Apache-2.0
// p-values adjusted for testing several things at once; compare the adjusted values with alpha.
#pragma once

#include <span>
#include <vector>

namespace snellen::stats {

// Both return one value per test, in the order given, and throw kInvalidInput for a p outside [0,
// 1] (NaN included).

// Bounds the chance of any false finding (Holm 1979).
std::vector<double> holm(std::span<const double> p_values);
// Bounds the expected share of false findings (Benjamini & Hochberg 1995).
std::vector<double> benjamini_hochberg(std::span<const double> p_values);

}  // namespace snellen::stats
