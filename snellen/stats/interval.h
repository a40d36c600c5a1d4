// SPDX-License-Identifier: Apache-2.0
// Confidence intervals of a share and of a mean. Shares and confidence are fractions, not percent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "snellen/stats/moments.h"

namespace snellen::stats {

// docs/stats/intervals.md lists the methods.
struct Interval {
  double low;
  double high;
  std::string method;
};

// Both throw kUsage unless 0 < confidence < 1.

// Interval of successes / n (Wilson 1927), clipped to [0, 1]; nothing when n == 0. Needs successes
// <= n.
std::optional<Interval> wilson(uint64_t successes, uint64_t n, double confidence);
// The same for any share in [0, 1] of any number of items, n > 0, with another quantile than the
// normal distribution's.
Interval wilson_of_share(double share, double n, double quantile, const char* method);
// mean +- z * sample sd / sqrt(n), z from the normal distribution; nothing when count() < 2.
std::optional<Interval> mean_interval(const Moments& moments, double confidence);

// The x with normal_cdf(x) == p; -inf at 0, +inf at 1, NaN outside [0, 1].
double normal_quantile(double p);
double normal_cdf(double x);

}  // namespace snellen::stats
