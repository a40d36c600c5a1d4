// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "snellen/base/error.h"
#include "snellen/stats/confidence.h"
#include "snellen/stats/parallel.h"
#include "snellen/stats/percentile.h"
#include "snellen/stats/quantile.h"
#include "snellen/stats/resample.h"

namespace snellen::stats {
namespace {

std::optional<Interval> bootstrap_of(size_t n,
                                     const Statistic& statistic,
                                     const BootstrapOptions& options,
                                     const char* method) {
  check(options);
  uint32_t size = checked_size(n);
  if (size == 0) return std::nullopt;
  std::vector<double> replicates(options.replicates);
  for_ranges(options.replicates, options.num_threads, [&](uint64_t first, uint64_t last) {
    std::vector<uint32_t> indices(size);
    for (uint64_t r = first; r < last; ++r) {
      Resample(options.seed, r, size).fill(indices);
      replicates[r] = statistic(indices);
    }
  });
  return percentile_interval(std::move(replicates), options, method);
}

}  // namespace

uint32_t checked_size(size_t n) {
  SNELLEN_CHECK(n <= std::numeric_limits<uint32_t>::max());
  return static_cast<uint32_t>(n);
}

void check(const BootstrapOptions& options) {
  constexpr uint64_t kMost = 10'000'000;
  if (options.replicates == 0 || options.replicates > kMost) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} bootstrap replicates, expected 1 to {}", options.replicates, kMost),
                {},
                "2000 is the usual number");
  }
  lower_tail(options.confidence);
}

std::optional<Interval> percentile_interval(std::vector<double> replicates,
                                            const BootstrapOptions& options,
                                            const char* method) {
  std::erase_if(replicates, [](double value) { return std::isnan(value); });
  if (replicates.empty()) return std::nullopt;
  std::sort(replicates.begin(), replicates.end());
  const double tail = lower_tail(options.confidence);
  return Interval{quantile(replicates, tail), quantile(replicates, 1.0 - tail), method};
}

std::optional<Interval> bootstrap(size_t n,
                                  const Statistic& statistic,
                                  const BootstrapOptions& options) {
  return bootstrap_of(n, statistic, options, "bootstrap");
}

std::optional<Interval> cluster_bootstrap(size_t n,
                                          const Statistic& statistic,
                                          const BootstrapOptions& options) {
  return bootstrap_of(n, statistic, options, "cluster-bootstrap");
}

}  // namespace snellen::stats
