// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "snellen/base/error.h"
#include "snellen/stats/confidence.h"
#include "snellen/stats/parallel.h"
#include "snellen/stats/quantile.h"
#include "snellen/stats/resample.h"

namespace snellen::stats {
namespace {

// Draws made ahead of their use: the two loops then run at the speed of the slower one.
constexpr size_t kBlock = 512;
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

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
                                            double confidence,
                                            const char* method) {
  std::erase_if(replicates, [](double value) { return std::isnan(value); });
  if (replicates.empty()) return std::nullopt;
  std::sort(replicates.begin(), replicates.end());
  double tail = lower_tail(confidence);
  return Interval{quantile(replicates, tail), quantile(replicates, 1.0 - tail), method};
}

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
  return percentile_interval(std::move(replicates), options.confidence, method);
}

}  // namespace

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
  return percentile_interval(std::move(replicates), options.confidence, "bootstrap");
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

ClusterBootstrap::ClusterBootstrap(size_t num_columns) : num_columns_(num_columns) {
  SNELLEN_CHECK(num_columns > 0);
}

size_t ClusterBootstrap::cluster(std::string_view name) {
  auto [id, is_new] = names_.add(content_key(name));
  if (is_new) parts_.resize(parts_.size() + num_columns_);
  SNELLEN_CHECK(num_clusters() == names_.size());
  return id;
}

void ClusterBootstrap::add(size_t cluster, size_t column, double value, double weight) {
  SNELLEN_CHECK(cluster < num_clusters() && column < num_columns_);
  Part& part = parts_[cluster * num_columns_ + column];
  part.sum += weight * value;
  part.weight += weight;
}

void ClusterBootstrap::add_cluster(std::span<const Part> parts) {
  SNELLEN_CHECK(parts.size() == num_columns_);
  parts_.insert(parts_.end(), parts.begin(), parts.end());
}

// One replicate: pooled[column] becomes the column's sum over the drawn clusters.
void ClusterBootstrap::pool(uint64_t seed, uint64_t replicate, std::span<Part> pooled) const {
  std::fill(pooled.begin(), pooled.end(), Part{});
  const uint32_t size = static_cast<uint32_t>(num_clusters());
  Resample draws(seed, replicate, size);
  std::array<uint32_t, kBlock> block;
  for (size_t left = size; left > 0;) {
    std::span<uint32_t> indices(block.data(), std::min(left, kBlock));
    draws.fill(indices);
    for (uint32_t index : indices) {
      const Part* row = parts_.data() + size_t{index} * num_columns_;
      for (size_t column = 0; column < pooled.size(); ++column) {
        pooled[column].sum += row[column].sum;
        pooled[column].weight += row[column].weight;
      }
    }
    left -= indices.size();
  }
}

bool ClusterBootstrap::is_undefined(size_t column) const {
  for (size_t i = column; i < parts_.size(); i += num_columns_) {
    if (std::isnan(parts_[i].sum) || std::isnan(parts_[i].weight)) return true;
  }
  return false;
}

std::vector<std::optional<Interval>> ClusterBootstrap::intervals(
    const BootstrapOptions& options) const {
  check(options);
  std::vector<std::optional<Interval>> intervals(num_columns_);
  if (checked_size(num_clusters()) == 0) return intervals;
  std::vector<std::vector<double>> replicates(num_columns_,
                                              std::vector<double>(options.replicates));
  for_ranges(options.replicates, options.num_threads, [&](uint64_t first, uint64_t last) {
    std::vector<Part> pooled(num_columns_);
    for (uint64_t r = first; r < last; ++r) {
      pool(options.seed, r, pooled);
      for (size_t column = 0; column < num_columns_; ++column) {
        const Part& part = pooled[column];
        replicates[column][r] = part.weight == 0.0 ? kUndefined : part.sum / part.weight;
      }
    }
  });
  for (size_t column = 0; column < num_columns_; ++column) {
    if (is_undefined(column)) continue;
    intervals[column] =
        percentile_interval(std::move(replicates[column]), options.confidence, "cluster-bootstrap");
  }
  return intervals;
}

}  // namespace snellen::stats
