// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/interval.h"

#include <algorithm>
#include <cmath>

#include "snellen/base/error.h"
#include "snellen/stats/binomial.h"
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

std::optional<Interval> wilson(uint64_t successes, uint64_t n, double confidence) {
  SNELLEN_CHECK(successes <= n);
  double z = -normal_quantile(lower_tail(confidence));
  if (n == 0) return std::nullopt;
  double count = static_cast<double>(n);
  double share = static_cast<double>(successes) / count;
  double scale = 1.0 + z * z / count;
  double centre = (share + z * z / (2.0 * count)) / scale;
  double half =
      z * std::sqrt(share * (1.0 - share) / count + z * z / (4.0 * count * count)) / scale;
  // At the ends the bound is the end itself; computed, it is a rounding error away.
  double low = successes == 0 ? 0.0 : std::max(0.0, centre - half);
  double high = successes == n ? 1.0 : std::min(1.0, centre + half);
  return Interval{low, high, "wilson"};
}

std::optional<Interval> clopper_pearson(uint64_t successes, uint64_t n, double confidence) {
  SNELLEN_CHECK(successes <= n);
  double tail = lower_tail(confidence);
  if (n == 0) return std::nullopt;
  double low = successes == 0 ? 0.0 : share_of_upper_tail(successes, n, tail);
  double high = successes == n ? 1.0 : share_of_lower_tail(successes, n, tail);
  return Interval{low, high, "clopper-pearson"};
}

std::optional<Interval> mean_interval(const Moments& moments, double confidence) {
  double z = -normal_quantile(lower_tail(confidence));
  if (moments.count() < 2) return std::nullopt;
  double half = z * moments.sample_sd() / std::sqrt(static_cast<double>(moments.count()));
  return Interval{moments.mean() - half, moments.mean() + half, "normal"};
}

}  // namespace snellen::stats
