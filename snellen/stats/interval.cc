// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/interval.h"

#include <algorithm>
#include <cmath>

#include "snellen/base/error.h"
#include "snellen/stats/confidence.h"

namespace snellen::stats {

double lower_tail(double confidence) {
  if (!(confidence > 0.0 && confidence < 1.0)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("confidence is {}, expected a fraction between 0 and 1", confidence),
                {},
                "for 95 % give 0.95");
  }
  return (1.0 - confidence) / 2.0;
}

Interval wilson_of_share(double share, double n, double quantile, const char* method) {
  double square = quantile * quantile;
  double scale = 1.0 + square / n;
  double centre = (share + square / (2.0 * n)) / scale;
  double half = quantile * std::sqrt(share * (1.0 - share) / n + square / (4.0 * n * n)) / scale;
  // At the ends the bound is the end itself; computed, it is a rounding error away.
  double low = share == 0.0 ? 0.0 : std::max(0.0, centre - half);
  double high = share == 1.0 ? 1.0 : std::min(1.0, centre + half);
  return {low, high, method};
}

std::optional<Interval> wilson(uint64_t successes, uint64_t n, double confidence) {
  SNELLEN_CHECK(successes <= n);
  double z = -normal_quantile(lower_tail(confidence));
  if (n == 0) return std::nullopt;
  double count = static_cast<double>(n);
  return wilson_of_share(static_cast<double>(successes) / count, count, z, "wilson");
}

std::optional<Interval> mean_interval(const Moments& moments, double confidence) {
  double z = -normal_quantile(lower_tail(confidence));
  if (moments.count() < 2) return std::nullopt;
  double half = z * moments.sample_sd() / std::sqrt(static_cast<double>(moments.count()));
  return Interval{moments.mean() - half, moments.mean() + half, "normal"};
}

}  // namespace snellen::stats
