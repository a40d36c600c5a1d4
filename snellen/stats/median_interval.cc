// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/median_interval.h"

#include <algorithm>

namespace snellen::stats {
namespace {

// The interval of the share of values that are at most `most`.
MeanInterval share_up_to(double most,
                         std::span<const std::vector<double>> values,
                         double confidence) {
  std::vector<WeightedSum> clusters;
  for (const std::vector<double>& cluster : values) {
    const auto count =
        std::count_if(cluster.begin(), cluster.end(), [&](double value) { return value <= most; });
    clusters.push_back({static_cast<double>(count), static_cast<double>(cluster.size())});
  }
  return interval_of(estimate_mean(clusters), ValueKind::kShare, confidence);
}

}  // namespace

MeanInterval median_interval(std::span<const std::vector<double>> values, double confidence) {
  std::vector<double> distinct;
  for (const std::vector<double>& cluster : values)
    distinct.insert(distinct.end(), cluster.begin(), cluster.end());
  if (distinct.empty()) return {std::nullopt, "the median is undefined"};
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  MeanInterval whole = share_up_to(distinct.back(), values, confidence);
  if (!whole.interval) return {std::nullopt, whole.reason};
  // The first value of which not clearly fewer than half are at or below, and the first of which
  // clearly more than half are.
  const auto low = std::partition_point(distinct.begin(), distinct.end() - 1, [&](double value) {
    return share_up_to(value, values, confidence).interval->high < 0.5;
  });
  const auto high = std::partition_point(low, distinct.end() - 1, [&](double value) {
    return share_up_to(value, values, confidence).interval->low <= 0.5;
  });
  return {Interval{*low, *high, "cluster-median"}, ""};
}

}  // namespace snellen::stats
