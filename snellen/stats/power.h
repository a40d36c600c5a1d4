// SPDX-License-Identifier: Apache-2.0
// Minimum detectable effect: the smallest true difference that a two-sided test at level alpha
// finds with probability `power`; and the number of items that a difference needs. Normal
// approximation; z_a = quantile(1 - alpha / 2), z_b = quantile(power). Differences are fractions; n
// is the effective number of items where items share clusters (cluster_mean.h).
#pragma once

#include <cstdint>
#include <optional>

namespace snellen::stats {

// Both in (0, 1), power at least 0.5; kUsage is thrown otherwise.
struct PowerOptions {
  double alpha = 0.05;
  double power = 0.8;
};

// Paired values whose differences have this standard deviation: (z_a + z_b) * sd / sqrt(n). Nothing
// when n == 0 or sd is NaN.
std::optional<double> detectable_paired_mean(double sd_of_differences,
                                             double n,
                                             const PowerOptions& options = {});

// Paired right/wrong items of which this share is discordant (one right, the other wrong);
// McNemar's test. The d that solves d sqrt(n) = z_a sqrt(s) + z_b sqrt(s - d^2) (Connor 1987).
// Nothing when n == 0, or when even d = s, all discordant items on one side, is not found: then no
// effect is detectable.
std::optional<double> detectable_paired_share(double discordant_share,
                                              double n,
                                              const PowerOptions& options = {});

// The n of the two equations above for a true difference, not rounded. Needs difference > 0;
// nothing when sd is NaN, and when the difference is above the discordant share, which it cannot
// be.
std::optional<double> needed_paired_mean(double sd_of_differences,
                                         double difference,
                                         const PowerOptions& options = {});
std::optional<double> needed_paired_share(double discordant_share,
                                          double difference,
                                          const PowerOptions& options = {});

}  // namespace snellen::stats
