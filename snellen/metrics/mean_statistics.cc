// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/mean_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace snellen::metrics {
namespace {

using ClusterRow = std::span<const stats::ClusterSums::Part>;

bool is_less(const ClusterRow& a, const ClusterRow& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return std::tie(x.sum, x.weight) < std::tie(y.sum, y.weight);
      });
}

// Clusters that hold the same are taken together, so that their means cost one step per cluster and
// no more.
struct KindsOfClusters {
  explicit KindsOfClusters(const stats::ClusterSums& clusters) {
    std::map<ClusterRow, uint32_t, decltype(&is_less)> numbers(&is_less);
    for (size_t cluster = 0; cluster < clusters.num_units(); ++cluster) {
      const ClusterRow row = clusters.parts_of(cluster);
      auto [found, is_new] = numbers.try_emplace(row, static_cast<uint32_t>(rows.size()));
      if (is_new) rows.push_back(row);
      kind_of.push_back(found->second);
      has_shared = has_shared || std::any_of(row.begin(), row.end(), [](const auto& part) {
                     return part.weight > 1;
                   });
    }
  }

  std::vector<double> means(std::span<const uint32_t> taken, size_t num_columns) const {
    std::vector<uint32_t> times(rows.size());
    for (uint32_t one : taken) ++times[kind_of[one]];
    std::vector<double> sums(num_columns);
    std::vector<double> weights(num_columns);
    for (size_t kind = 0; kind < rows.size(); ++kind) {
      for (size_t column = 0; column < num_columns; ++column) {
        sums[column] += times[kind] * rows[kind][column].sum;
        weights[column] += times[kind] * rows[kind][column].weight;
      }
    }
    for (size_t column = 0; column < num_columns; ++column) {
      sums[column] = weights[column] > 0 ? sums[column] / weights[column]
                                         : std::numeric_limits<double>::quiet_NaN();
    }
    return sums;
  }

  std::vector<ClusterRow> rows;
  std::vector<uint32_t> kind_of;  // by cluster
  bool has_shared = false;        // a cluster holds several values of a column
};

}  // namespace

MeanStatistics::MeanStatistics(size_t num_columns)
    : clusters_(num_columns), sums_(num_columns), counts_(num_columns) {}

void MeanStatistics::add(std::span<const std::string> clusters, std::span<const double> values) {
  const size_t number = clusters_.unit(clusters);
  for (size_t i = 0; i < counts_.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    clusters_.add(number, i, values[i]);
    sums_[i].add(values[i]);
    ++counts_[i];
  }
}

double MeanStatistics::mean(size_t column) const {
  return sums_[column].value() / static_cast<double>(counts_[column]);
}

stats::MeanInterval MeanStatistics::interval(const Statistic& statistic,
                                             const MeanOptions& options) const {
  const KindsOfClusters kinds(clusters_);
  stats::ClusterStatistic over_clusters{
      .of =
          [&](std::span<const uint32_t> taken) {
            return statistic.of(kinds.means(taken, counts_.size()));
          },
      .sizes = {},
      .range = statistic.range};
  for (size_t cluster = 0; cluster < clusters_.num_units(); ++cluster) {
    const ClusterRow row = clusters_.parts_of(cluster);
    double size = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      const bool is_used = statistic.columns.empty() ||
                           std::find(statistic.columns.begin(), statistic.columns.end(), i) !=
                               statistic.columns.end();
      if (is_used) size += row[i].weight;
    }
    over_clusters.sizes.push_back(statistic.rests_on_lacking ? row[0].weight - row[0].sum : size);
  }
  stats::MeanInterval found = stats::statistic_interval(over_clusters, bootstrap_options(options));
  if (found.interval && options.bootstrap > 0 && !kinds.has_shared)
    found.interval->method = "bootstrap";
  return found;
}

}  // namespace snellen::metrics
