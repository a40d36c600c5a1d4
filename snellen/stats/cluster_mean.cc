// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/cluster_mean.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "snellen/stats/confidence.h"
#include "snellen/stats/student.h"

namespace snellen::stats {
namespace {

WeightedSum total_of(std::span<const WeightedSum> sums) {
  WeightedSum total;
  for (const WeightedSum& one : sums) {
    total.sum += one.sum;
    total.weight += one.weight;
  }
  return total;
}

// How far a group's sum lies from what the mean would give; a rounding error is none.
double residual(const WeightedSum& group, double mean) {
  double expected = mean * group.weight;
  double apart = group.sum - expected;
  return std::abs(apart) <= 1e-12 * (std::abs(group.sum) + std::abs(expected)) ? 0.0 : apart;
}

// Bell and McCaffrey's (2002) degrees of freedom: (trace M)^2 / trace M^2, M the covariance of the
// scaled cluster residuals under a working model. Two models have closed forms:
// independent items, and items that are equal within a cluster. The lesser counts, so that uneven
// clusters are not taken for more than they tell; equal clusters give their number - 1 in both.
double degrees_of_freedom(std::span<const WeightedSum> clusters, double weight) {
  double q = 0.0;  // sum of f_g^2, f_g the cluster's share of the weight
  // Of C_g f_g^k and of C_g^2 f_g^k, C_g = f_g^2 / (1 - f_g).
  std::array<double, 3> c = {};
  std::array<double, 2> c_squares = {};
  for (const WeightedSum& cluster : clusters) {
    double f = cluster.weight / weight;
    double scaled = f * f / (1.0 - f);
    q += f * f;
    c[0] += scaled;
    c[1] += scaled * f;
    c[2] += scaled * f * f;
    c_squares[0] += scaled * scaled;
    c_squares[1] += scaled * scaled * f;
  }
  double independent = 1.0 / (q + c[0] * c[0] - c_squares[0]);
  double trace = c[0] * (1.0 + q) - 2.0 * c[1];
  double trace_of_square = q * q * c[0] * c[0] + 2.0 * c[0] * c[2] - 4.0 * q * c[0] * c[1] +
                           2.0 * c[1] * c[1] + (1.0 + 2.0 * q) * c_squares[0] - 4.0 * c_squares[1];
  return std::max(1.0, std::min(independent, trace * trace / trace_of_square));
}

// The sum of squares of how far the mean moves when a group is left out (the jackknife, CR3).
double jackknife(std::span<const WeightedSum> groups, const WeightedSum& total) {
  double mean = total.sum / total.weight;
  double squares = 0.0;
  for (const WeightedSum& group : groups) {
    double apart = residual(group, mean);
    if (apart == 0.0) continue;
    double move = apart / (total.weight - group.weight);
    squares += move * move;
  }
  return squares;
}

// Fills all of the estimate but the variance.
MeanEstimate start_of(std::span<const WeightedSum> clusters, const WeightedSum& total) {
  MeanEstimate estimate;
  estimate.weight = total.weight;
  if (!(total.weight > 0.0)) return estimate;
  estimate.mean = total.sum / total.weight;
  for (const WeightedSum& cluster : clusters) {
    if (cluster.weight == 0.0) continue;
    ++estimate.num_clusters;
    // Weights are counts as a rule; what is left beside a rounding error is none.
    if (cluster.weight >= total.weight * (1.0 - 1e-12)) estimate.is_one_in_all = true;
  }
  return estimate;
}

}  // namespace

MeanEstimate estimate_mean(std::span<const WeightedSum> clusters) {
  WeightedSum total = total_of(clusters);
  MeanEstimate estimate = start_of(clusters, total);
  if (estimate.num_clusters < 2 || estimate.is_one_in_all) return estimate;
  estimate.variance = jackknife(clusters, total);
  estimate.degrees_of_freedom = degrees_of_freedom(clusters, total.weight);
  return estimate;
}

MeanEstimate estimate_mean(std::span<const WeightedSum> units,
                           std::span<const UnitClusters> clusters,
                           size_t num_clusters) {
  WeightedSum total = total_of(units);
  std::vector<WeightedSum> any(num_clusters);
  std::vector<WeightedSum> first(num_clusters);
  std::vector<WeightedSum> second(num_clusters);
  std::vector<WeightedSum> pairs;
  auto add = [](WeightedSum& to, const WeightedSum& from) {
    to.sum += from.sum;
    to.weight += from.weight;
  };
  for (size_t unit = 0; unit < units.size(); ++unit) {
    auto [a, b] = clusters[unit];
    bool is_pair = b != kNoCluster;
    add(any[a], units[unit]);
    add(first[a], units[unit]);
    add(second[is_pair ? b : a], units[unit]);
    if (!is_pair) continue;
    add(any[b], units[unit]);
    pairs.push_back(units[unit]);
  }
  MeanEstimate estimate = start_of(any, total);
  estimate.is_two_way = true;
  if (estimate.num_clusters < 2 || estimate.is_one_in_all) return estimate;
  // A pair of items with both clusters in common is in two of the sums, so it is taken off once.
  estimate.variance = std::max({jackknife(any, total) - jackknife(pairs, total),
                                jackknife(first, total),
                                jackknife(second, total),
                                jackknife(units, total)});
  estimate.degrees_of_freedom = degrees_of_freedom(any, total_of(any).weight);
  return estimate;
}

MeanInterval interval_of(const MeanEstimate& estimate, ValueKind kind, double confidence) {
  double tail = lower_tail(confidence);
  if (!std::isfinite(estimate.mean)) return {std::nullopt, "the mean is undefined"};
  if (estimate.num_clusters < kFewestClusters)
    return {std::nullopt, "too few clusters for an interval"};
  if (estimate.is_one_in_all) return {std::nullopt, "one cluster is in every item"};
  double mean = estimate.mean;
  double count = static_cast<double>(estimate.num_clusters);
  if (estimate.variance == 0.0) {
    double z = -normal_quantile(tail);
    double bound = z * z / (count + z * z);  // of a share of which no cluster has any
    switch (kind) {
      case ValueKind::kMean:
        return {std::nullopt, "all clusters have the same mean"};
      case ValueKind::kShare:
        return {wilson_of_share(mean, count, z, "wilson-clusters"), ""};
      case ValueKind::kDifference: {
        double half = bound * (1.0 + std::abs(mean));
        return {
            Interval{std::max(-1.0, mean - half), std::min(1.0, mean + half), "wilson-clusters"},
            ""};
      }
    }
  }
  double t = student_upper_quantile(tail, estimate.degrees_of_freedom);
  if (kind == ValueKind::kShare) {
    double n = effective_n(estimate, mean * (1.0 - mean));
    return {wilson_of_share(mean, n, t, estimate.is_two_way ? "dyadic-wilson" : "cluster-wilson"),
            ""};
  }
  double half = t * std::sqrt(estimate.variance);
  Interval interval{mean - half, mean + half, estimate.is_two_way ? "dyadic-t" : "cluster-t"};
  if (kind == ValueKind::kDifference) {
    interval.low = std::max(-1.0, interval.low);
    interval.high = std::min(1.0, interval.high);
  }
  return {interval, ""};
}

std::optional<double> mean_test_p(const MeanEstimate& estimate) {
  if (!std::isfinite(estimate.mean) || estimate.num_clusters < kFewestClusters ||
      estimate.is_one_in_all)
    return std::nullopt;
  if (estimate.mean == 0.0) return 1.0;
  if (estimate.variance == 0.0) {
    // As many signs as there are clusters that need not share an item, all alike by chance.
    double signs = static_cast<double>(estimate.num_clusters / (estimate.is_two_way ? 2 : 1));
    return std::exp2(1.0 - signs);
  }
  return student_two_sided_p(estimate.mean / std::sqrt(estimate.variance),
                             estimate.degrees_of_freedom);
}

double effective_n(const MeanEstimate& estimate, double item_variance) {
  if (!(estimate.variance > 0.0))
    return std::min(estimate.weight, static_cast<double>(estimate.num_clusters));
  return std::min(estimate.weight, item_variance / estimate.variance);
}

}  // namespace snellen::stats
