// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/group_means.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "snellen/stats/interval.h"

namespace snellen::metrics {
namespace {

constexpr uint64_t kUsualReplicates = 2000;
constexpr size_t kTieBits = 64;  // ties are kept for the first columns only: one bit each

using ClusterRow = std::span<const stats::ClusterSums::Part>;

bool is_less(const ClusterRow& a, const ClusterRow& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return std::tie(x.sum, x.weight) < std::tie(y.sum, y.weight);
      });
}

// Clusters that hold the same are drawn together, so a resample costs one draw per cluster and no
// more.
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

  std::vector<double> means(std::span<const uint32_t> draws, size_t num_columns) const {
    std::vector<uint32_t> times(rows.size());
    for (uint32_t draw : draws) ++times[kind_of[draw]];
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

std::vector<size_t> all_places(size_t count) {
  std::vector<size_t> places(count);
  std::iota(places.begin(), places.end(), size_t{0});
  return places;
}

}  // namespace

stats::BootstrapOptions bootstrap_options(const MeanOptions& options) {
  return {.replicates = options.bootstrap > 0 ? options.bootstrap : kUsualReplicates,
          .confidence = options.confidence,
          .seed = options.seed,
          .num_threads = options.num_threads,
          .widens = options.bootstrap == 0};
}

void set_interval(Measurement& one,
                  const std::optional<stats::Interval>& interval,
                  const std::string& reason) {
  // Equal values tell nothing about how far others would spread; a bootstrap that was asked for is
  // given as it is.
  const bool is_empty = interval && interval->low == interval->high &&
                        interval->method.find("bootstrap") == std::string::npos;
  if (is_empty) {
    one.reason += one.reason.empty() ? "" : "; ";
    one.reason += "all values are equal: no interval";
  } else if (interval) {
    one.low = interval->low;
    one.high = interval->high;
    one.interval = interval->method;
  } else if (one.n > 0 && std::isfinite(one.value) && !reason.empty()) {
    one.reason += (one.reason.empty() ? "" : "; ") + reason;
  }
}

void GroupMeans::Running::add(double value, bool is_tied) {
  if (!std::isfinite(value)) {
    ++undefined;
    return;
  }
  sum.add(value);
  moments.add(value);
  if (value == 1.0) ++successes;
  if (is_tied) ++ties;
}

GroupMeans::GroupMeans(std::string id_start,
                       std::span<const MetricColumn> columns,
                       std::vector<size_t> places,
                       Resampling resampling)
    : id_start_(std::move(id_start)),
      places_(std::move(places)),
      resampling_(resampling),
      running_(places_.size()) {
  for (size_t place : places_) columns_.push_back(columns[place]);
  if (resampling_ != Resampling::kNever && !columns_.empty()) clusters_.emplace(columns_.size());
}

GroupMeans::GroupMeans(std::string id_start,
                       std::span<const MetricColumn> columns,
                       Resampling resampling)
    : GroupMeans(std::move(id_start), columns, all_places(columns.size()), resampling) {}

void GroupMeans::add(std::span<const std::string> clusters,
                     std::span<const double> values,
                     uint64_t ties) {
  ++num_items_;
  const size_t number = clusters_ ? clusters_->unit(clusters) : 0;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const double value = values[places_[i]];
    running_[i].add(value, places_[i] < kTieBits && (ties >> places_[i] & 1U) != 0);
    if (clusters_ && std::isfinite(value)) clusters_->add(number, i, value);
  }
}

double GroupMeans::mean(size_t column) const {
  return running_[column].sum.value() / static_cast<double>(count(column));
}

bool GroupMeans::takes_clusters(const MeanOptions& options) const {
  return clusters_ && num_items_ > 0 && (options.bootstrap > 0 || clusters_->is_shared(num_items_));
}

void GroupMeans::measure(const MeanOptions& options, std::vector<Measurement>& all) const {
  const bool takes = takes_clusters(options);
  std::vector<stats::MeanInterval> clustered(columns_.size());
  if (takes) {
    std::vector<stats::ValueKind> kinds;
    for (const MetricColumn& column : columns_)
      kinds.push_back(column.is_share ? stats::ValueKind::kShare : stats::ValueKind::kMean);
    stats::BootstrapOptions bootstrap = bootstrap_options(options);
    bootstrap.replicates = options.bootstrap;
    clustered = clusters_->mean_intervals(kinds, bootstrap);
  }
  for (size_t i = 0; i < columns_.size(); ++i) {
    Measurement one = measure_column(i);
    if (one.n > 0) {
      if (takes) {
        set_interval(one, clustered[i].interval, clustered[i].reason);
      } else {
        const Running& running = running_[i];
        set_interval(one,
                     columns_[i].is_share
                         ? stats::wilson(running.successes, one.n, options.confidence)
                         : stats::mean_interval(running.moments, options.confidence),
                     "too few items for an interval");
      }
    }
    all.push_back(std::move(one));
  }
}

Measurement GroupMeans::measure_column(size_t i) const {
  const Running& running = running_[i];
  Measurement one{.id = id_start_ + columns_[i].name,
                  .n = count(i),
                  .ties = running.ties,
                  .undefined = running.undefined,
                  .higher_is_better = columns_[i].higher_is_better,
                  .chance = columns_[i].chance};
  if (one.n == 0) {
    one.reason = running.undefined > 0
                     ? fmt::format("undefined for all {} items", running.undefined)
                     : "no item was scored";
    return one;
  }
  one.value = mean(i);
  if (running.undefined > 0)
    one.reason = fmt::format("{} items with no defined value are left out", running.undefined);
  return one;
}

std::optional<stats::Interval> GroupMeans::interval(const Statistic& statistic,
                                                    const MeanOptions& options) const {
  SNELLEN_CHECK(clusters_);
  const KindsOfClusters kinds(*clusters_);
  std::optional<stats::Interval> interval = stats::cluster_bootstrap(
      clusters_->num_units(),
      [&](std::span<const uint32_t> draws) {
        return statistic(kinds.means(draws, columns_.size()));
      },
      bootstrap_options(options));
  if (interval && !kinds.has_shared) interval->method = "bootstrap";
  return interval;
}

}  // namespace snellen::metrics
