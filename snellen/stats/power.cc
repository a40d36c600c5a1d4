// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/power.h"

#include <cmath>

#include "snellen/base/error.h"
#include "snellen/stats/interval.h"

namespace snellen::stats {
namespace {

struct Quantiles {
  double level;  // z_a
  double power;  // z_b
};

Quantiles quantiles_of(const PowerOptions& options) {
  if (!(options.alpha > 0.0 && options.alpha < 1.0 && options.power >= 0.5 &&
        options.power < 1.0)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("alpha {} and power {}, expected 0 < alpha < 1 and 0.5 <= power < 1",
                            options.alpha,
                            options.power),
                {},
                "the usual pair is 0.05 and 0.8");
  }
  return {-normal_quantile(options.alpha / 2.0), normal_quantile(options.power)};
}

}  // namespace

std::optional<double> detectable_paired_mean(double sd_of_differences,
                                             double n,
                                             const PowerOptions& options) {
  Quantiles z = quantiles_of(options);
  if (!(n > 0.0) || std::isnan(sd_of_differences)) return std::nullopt;
  return (z.level + z.power) * sd_of_differences / std::sqrt(n);
}

std::optional<double> needed_paired_mean(double sd_of_differences,
                                         double difference,
                                         const PowerOptions& options) {
  SNELLEN_CHECK(difference > 0.0);
  Quantiles z = quantiles_of(options);
  if (std::isnan(sd_of_differences)) return std::nullopt;
  double root = (z.level + z.power) * sd_of_differences / difference;
  return root * root;
}

std::optional<double> needed_paired_share(double discordant_share,
                                          double difference,
                                          const PowerOptions& options) {
  SNELLEN_CHECK(difference > 0.0);
  Quantiles z = quantiles_of(options);
  if (!(difference <= discordant_share)) return std::nullopt;
  double root = (z.level * std::sqrt(discordant_share) +
                 z.power * std::sqrt(discordant_share - difference * difference)) /
                difference;
  return root * root;
}

std::optional<double> detectable_paired_share(double discordant_share,
                                              double n,
                                              const PowerOptions& options) {
  SNELLEN_CHECK(discordant_share >= 0.0 && discordant_share <= 1.0);
  Quantiles z = quantiles_of(options);
  if (!(n > 0.0) || discordant_share == 0.0) return std::nullopt;
  // (d - a)^2 = b^2 (s - d^2) with a = z_a sqrt(s / n), b = z_b / sqrt(n); the larger root, which
  // has d >= a.
  double a = z.level * std::sqrt(discordant_share / n);
  double b = z.power / std::sqrt(n);
  double inside = discordant_share * (1.0 + b * b) - a * a;
  if (inside < 0.0) return std::nullopt;
  double difference = (a + b * std::sqrt(inside)) / (1.0 + b * b);
  if (difference > discordant_share) return std::nullopt;
  return difference;
}

}  // namespace snellen::stats
