// SPDX-License-Identifier: Apache-2.0
// What Gaussian noise, rounded and clipped to 8 bits, does to a channel: exact expectations, no
// samples (docs/spec/bias.md 1.3).
#pragma once

#include <array>
#include <cstdint>

namespace snellen::media {

using Histogram = std::array<uint64_t, 256>;

struct NoiseExpectation {
  double clean_mean = 0;
  double clean_std = 0;  // divided by n
  double mean = 0;
  double std = 0;
  double share_of_0 = 0;
  double share_of_255 = 0;
  double mean_square_error = 0;
  // With the clean channel; NaN for a channel of one value.
  double correlation = 0;
};

// A histogram with at least one pixel, sigma > 0.
NoiseExpectation expected_noise(const Histogram& clean, double sigma);

}  // namespace snellen::media
