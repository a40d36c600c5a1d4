// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/pages/mean_measurement.h"

#include <algorithm>
#include <cmath>

namespace snellen::report {

metrics::Measurement mean_measurement(std::span<const metrics::Measurement* const> all) {
  metrics::Measurement mean;
  double value = 0, low = 0, high = 0, count = 0;
  bool has_interval = true;
  for (const metrics::Measurement* one : all) {
    if (!std::isfinite(one->value)) continue;
    ++count;
    value += one->value;
    mean.n = std::max(mean.n, one->n);
    has_interval = has_interval && one->low && one->high;
    low += one->low.value_or(0);
    high += one->high.value_or(0);
  }
  if (count == 0) return mean;
  mean.value = value / count;
  if (has_interval) {
    mean.low = low / count;
    mean.high = high / count;
  }
  return mean;
}

}  // namespace snellen::report
