// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/group_means.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "snellen/stats/interval.h"

namespace snellen::metrics {
namespace {

constexpr size_t kTieBits = 64;  // ties are kept for the first columns only: one bit each

std::vector<size_t> all_places(size_t count) {
  std::vector<size_t> places(count);
  std::iota(places.begin(), places.end(), size_t{0});
  return places;
}

}  // namespace

stats::BootstrapOptions bootstrap_options(const MeanOptions& options) {
  return {.replicates = options.bootstrap,
          .confidence = options.confidence,
          .seed = options.seed,
          .num_threads = options.num_threads};
}

void set_interval(Measurement& one,
                  const std::optional<stats::Interval>& interval,
                  const std::string& reason) {
  // Equal values tell nothing about how far others would spread; a bootstrap that was asked for is
  // given as it is, and so is a median, which few values can be.
  const bool is_empty = interval && interval->low == interval->high &&
                        interval->method.find("bootstrap") == std::string::npos &&
                        interval->method != "cluster-median";
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
    clustered = clusters_->mean_intervals(kinds, bootstrap_options(options));
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

}  // namespace snellen::metrics
