// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/cluster_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "snellen/base/error.h"
#include "snellen/base/splitmix.h"
#include "snellen/stats/parallel.h"
#include "snellen/stats/percentile.h"
#include "snellen/stats/resample.h"

namespace snellen::stats {
namespace {

// Draws made ahead of their use: the two loops then run at the speed of the slower one.
constexpr size_t kBlock = 512;
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// Calls use(index) for every draw of a replicate.
template <typename Use>
void for_draws(uint64_t seed, uint64_t replicate, uint32_t size, Use use) {
  Resample draws(seed, replicate, size);
  std::array<uint32_t, kBlock> block;
  for (size_t left = size; left > 0;) {
    std::span<uint32_t> indices(block.data(), std::min(left, kBlock));
    draws.fill(indices);
    for (uint32_t index : indices) use(index);
    left -= indices.size();
  }
}

// Of the clusters in either order.
ContentKey key_of(UnitClusters clusters) {
  auto [low, high] = std::minmax(clusters[0], clusters[1]);
  uint64_t both = uint64_t{low} << 32 | high;
  return {splitmix64(both), both};
}

}  // namespace

ClusterSums::ClusterSums(size_t num_columns) : num_columns_(num_columns) {
  SNELLEN_CHECK(num_columns > 0);
}

// Up to here every unit was one cluster of the same number.
void ClusterSums::start_pairs() {
  SNELLEN_CHECK(num_units() == names_.size());
  for (uint32_t number = 0; number < names_.size(); ++number) {
    clusters_.push_back({number, kNoCluster});
    units_.add(key_of(clusters_.back()));
  }
}

size_t ClusterSums::unit_of(const UnitClusters& clusters) {
  auto [id, is_new] = units_.add(key_of(clusters));
  if (!is_new) return id;
  clusters_.push_back(clusters);
  return add_unit();
}

size_t ClusterSums::unit(std::string_view name) {
  auto [id, is_new] = names_.add(content_key(name));
  if (is_two_way()) return unit_of({id, kNoCluster});
  if (is_new) add_unit();
  SNELLEN_CHECK(num_units() == names_.size());
  return id;
}

size_t ClusterSums::unit(std::span<const std::string> names) {
  SNELLEN_CHECK(names.size() == 1 || names.size() == 2);
  if (names.size() == 1 || names[0] == names[1]) return unit(names[0]);
  if (!is_two_way()) start_pairs();
  uint32_t a = names_.add(content_key(names[0])).id;
  uint32_t b = names_.add(content_key(names[1])).id;
  return unit_of({a, b});
}

void ClusterSums::add(size_t unit, size_t column, double value, double weight) {
  SNELLEN_CHECK(unit < num_units() && column < num_columns_);
  Part& part = parts_[unit * num_columns_ + column];
  part.sum += weight * value;
  part.weight += weight;
}

std::vector<WeightedSum> ClusterSums::sums(size_t column) const {
  SNELLEN_CHECK(column < num_columns_);
  std::vector<Part> sums;
  sums.reserve(num_units());
  for (size_t i = column; i < parts_.size(); i += num_columns_) sums.push_back(parts_[i]);
  return sums;
}

MeanEstimate ClusterSums::estimate(size_t column) const {
  std::vector<Part> all = sums(column);
  return is_two_way() ? estimate_mean(all, clusters_, names_.size()) : estimate_mean(all);
}

// One replicate: pooled[column] becomes the column's sum over the drawn clusters.
void ClusterSums::pool(uint64_t seed, uint64_t replicate, std::span<Part> pooled) const {
  std::fill(pooled.begin(), pooled.end(), Part{});
  for_draws(seed, replicate, static_cast<uint32_t>(num_units()), [&](uint32_t index) {
    const Part* row = parts_.data() + size_t{index} * num_columns_;
    for (size_t column = 0; column < pooled.size(); ++column) {
      pooled[column].sum += row[column].sum;
      pooled[column].weight += row[column].weight;
    }
  });
}

void ClusterSums::pool_two_way(uint64_t seed,
                               uint64_t replicate,
                               std::vector<uint32_t>& times,
                               std::span<Part> pooled) const {
  std::fill(pooled.begin(), pooled.end(), Part{});
  times.assign(names_.size(), 0);
  for_draws(seed, replicate, static_cast<uint32_t>(times.size()), [&](uint32_t index) {
    ++times[index];
  });
  for (size_t unit = 0; unit < clusters_.size(); ++unit) {
    auto [a, b] = clusters_[unit];
    double factor = times[a] * (b == kNoCluster ? 1.0 : static_cast<double>(times[b]));
    if (factor == 0.0) continue;
    const Part* row = parts_.data() + unit * num_columns_;
    for (size_t column = 0; column < pooled.size(); ++column) {
      pooled[column].sum += factor * row[column].sum;
      pooled[column].weight += factor * row[column].weight;
    }
  }
}

bool ClusterSums::is_undefined(size_t column) const {
  for (size_t i = column; i < parts_.size(); i += num_columns_) {
    if (std::isnan(parts_[i].sum) || std::isnan(parts_[i].weight)) return true;
  }
  return false;
}

std::vector<std::optional<Interval>> ClusterSums::intervals(const BootstrapOptions& options) const {
  check(options);
  std::vector<std::optional<Interval>> intervals(num_columns_);
  if (checked_size(num_units()) == 0) return intervals;
  std::vector<std::vector<double>> replicates(num_columns_,
                                              std::vector<double>(options.replicates));
  for_ranges(options.replicates, options.num_threads, [&](uint64_t first, uint64_t last) {
    std::vector<Part> pooled(num_columns_);
    std::vector<uint32_t> times;
    for (uint64_t r = first; r < last; ++r) {
      if (is_two_way()) {
        pool_two_way(options.seed, r, times, pooled);
      } else {
        pool(options.seed, r, pooled);
      }
      for (size_t column = 0; column < num_columns_; ++column) {
        const Part& part = pooled[column];
        replicates[column][r] = part.weight == 0.0 ? kUndefined : part.sum / part.weight;
      }
    }
  });
  for (size_t column = 0; column < num_columns_; ++column) {
    if (is_undefined(column)) continue;
    intervals[column] =
        percentile_interval(std::move(replicates[column]),
                            options,
                            is_two_way() ? "two-way-bootstrap" : "cluster-bootstrap");
  }
  return intervals;
}

std::vector<MeanInterval> ClusterSums::mean_intervals(std::span<const ValueKind> kinds,
                                                      const BootstrapOptions& options) const {
  SNELLEN_CHECK(kinds.size() == num_columns_);
  std::vector<MeanInterval> all;
  if (options.replicates > 0) {
    for (std::optional<Interval>& one : intervals(options)) all.push_back({std::move(one), ""});
    return all;
  }
  for (size_t column = 0; column < num_columns_; ++column)
    all.push_back(interval_of(estimate(column), kinds[column], options.confidence));
  return all;
}

}  // namespace snellen::stats
