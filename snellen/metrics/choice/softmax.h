// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace snellen::metrics {

// exp(x_i) / sum exp(x_j), the maximum subtracted first; empty for no logits.
std::vector<double> softmax(std::span<const double> logits);

// The same in float32 throughout, as the reference scripts compute it.
std::vector<float> softmax_float(std::span<const double> logits);

}  // namespace snellen::metrics
