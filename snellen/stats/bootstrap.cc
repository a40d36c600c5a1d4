// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "snellen/base/error.h"
#include "snellen/stats/cluster_mean.h"
#include "snellen/stats/confidence.h"
#include "snellen/stats/parallel.h"
#include "snellen/stats/percentile.h"
#include "snellen/stats/quantile.h"
#include "snellen/stats/resample.h"
#include "snellen/stats/student.h"

namespace snellen::stats {
namespace {

// Draws made ahead of their use: the two loops then run at the speed of the slower one.
constexpr size_t kBlock = 512;

double resampled_mean(std::span<const double> values, uint64_t replicate, uint64_t seed) {
  Resample draws(seed, replicate, static_cast<uint32_t>(values.size()));
  std::array<uint32_t, kBlock> block;
  double sum = 0.0;
  for (size_t left = values.size(); left > 0;) {
    std::span<uint32_t> indices(block.data(), std::min(left, kBlock));
    draws.fill(indices);
    for (uint32_t index : indices) sum += values[index];
    left -= indices.size();
  }
  return sum / static_cast<double>(values.size());
}

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
  return percentile_interval(std::move(replicates), n, options, method);
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
                                            size_t num_clusters,
                                            const BootstrapOptions& options,
                                            const char* method) {
  std::erase_if(replicates, [](double value) { return std::isnan(value); });
  if (replicates.empty()) return std::nullopt;
  std::sort(replicates.begin(), replicates.end());
  double tail = lower_tail(options.confidence);
  if (options.widens) {
    if (num_clusters < kFewestClusters) return std::nullopt;
    double others = static_cast<double>(num_clusters - 1);
    double t = student_upper_quantile(tail, others);
    tail = normal_cdf(-std::sqrt((others + 1.0) / others) * t);
  }
  return Interval{quantile(replicates, tail), quantile(replicates, 1.0 - tail), method};
}

std::optional<Interval> bootstrap_mean(std::span<const double> values,
                                       const BootstrapOptions& options) {
  check(options);
  checked_size(values.size());
  // An undefined value makes the mean undefined; skipping the replicates that drew it would hide
  // that.
  bool has_nan = std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
  if (values.empty() || has_nan) return std::nullopt;
  std::vector<double> replicates(options.replicates);
  for_ranges(options.replicates, options.num_threads, [&](uint64_t first, uint64_t last) {
    for (uint64_t r = first; r < last; ++r) replicates[r] = resampled_mean(values, r, options.seed);
  });
  return percentile_interval(std::move(replicates), values.size(), options, "bootstrap");
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
