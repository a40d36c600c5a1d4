// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/column_means.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/stats/interval.h"

namespace snellen::metrics {
namespace {

constexpr uint64_t kClusterReplicates = 2000;
constexpr size_t kTieBits = 64;  // ties are kept for the first columns only: one bit each

}  // namespace

void ColumnMeans::Running::add(double value, bool is_tied) {
  if (!std::isfinite(value)) {
    ++undefined;
    return;
  }
  sum.add(value);
  moments.add(value);
  if (value == 1.0) ++successes;
  if (is_tied) ++ties;
}

ColumnMeans::ColumnMeans(std::string id_start,
                         std::span<const MetricColumn> columns,
                         std::vector<size_t> places,
                         bool resamples)
    : id_start_(std::move(id_start)), places_(std::move(places)), running_(places_.size()) {
  for (size_t place : places_) columns_.push_back(columns[place]);
  if (resamples) clusters_.emplace(columns_.size());
}

void ColumnMeans::add(std::string_view cluster, std::span<const double> values, uint64_t ties) {
  size_t number = clusters_ ? clusters_->cluster(cluster) : 0;
  for (size_t i = 0; i < columns_.size(); ++i) {
    double value = values[places_[i]];
    running_[i].add(value, places_[i] < kTieBits && (ties >> places_[i] & 1U) != 0);
    if (clusters_ && std::isfinite(value)) clusters_->add(number, i, value);
  }
}

void ColumnMeans::measure(const MeanOptions& options, std::vector<Measurement>& all) const {
  std::vector<std::optional<stats::Interval>> resampled(columns_.size());
  if (clusters_ && clusters_->num_clusters() > 0) {
    resampled = clusters_->intervals(
        {.replicates = options.bootstrap > 0 ? options.bootstrap : kClusterReplicates,
         .confidence = options.confidence,
         .seed = options.seed,
         .num_threads = options.num_threads});
  }
  for (size_t i = 0; i < columns_.size(); ++i)
    all.push_back(measure_column(i, options, resampled[i]));
}

Measurement ColumnMeans::measure_column(size_t i,
                                        const MeanOptions& options,
                                        const std::optional<stats::Interval>& resampled) const {
  const Running& running = running_[i];
  Measurement one{.id = id_start_ + columns_[i].name,
                  .n = running.moments.count(),
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
  one.value = running.sum.value() / static_cast<double>(one.n);
  if (running.undefined > 0)
    one.reason = fmt::format("{} items with no defined value are left out", running.undefined);
  std::optional<stats::Interval> interval = resampled;
  if (!clusters_) {
    interval = columns_[i].is_share ? stats::wilson(running.successes, one.n, options.confidence)
                                    : stats::mean_interval(running.moments, options.confidence);
  }
  if (interval) {
    one.low = interval->low;
    one.high = interval->high;
    one.interval = interval->method;
  }
  return one;
}

}  // namespace snellen::metrics
