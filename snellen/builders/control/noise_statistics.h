// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "snellen/media/corruptions/noise_expectation.h"
#include "snellen/media/image.h"

namespace snellen::builders::control {

inline constexpr std::array<std::string_view, 3> kChannels = {"R", "G", "B"};

// One number of a channel: what the noise must give, and what it gave.
struct NoiseFigure {
  std::string_view name;  // "mean", "std", "p0", "p255", "corr_with_clean", "mse"
  double expected = 0;
  double measured = 0;
  double tolerance = 0;

  bool is_within() const;
};

// Of noise of this sigma on a channel; of sigma nothing of `pure`, which knows nothing of the
// picture. Tolerances are those of docs/spec/bias.md's vectors for 1024 x 1024 pixels, wider for
// fewer.
std::vector<NoiseFigure> noise_figures(const media::Image& clean,
                                       const media::Image& noisy,
                                       size_t channel,
                                       std::optional<double> sigma);

}  // namespace snellen::builders::control
