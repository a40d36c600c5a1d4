// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/pooled_shares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "snellen/stats/interval.h"

namespace snellen::tasks {

stats::BootstrapOptions bootstrap_options(const PooledOptions& options) {
  return {.replicates = options.bootstrap > 0 ? options.bootstrap : kPooledReplicates,
          .confidence = options.confidence,
          .seed = options.seed,
          .num_threads = options.num_threads};
}

void set_interval(metrics::Measurement& one, const std::optional<stats::Interval>& interval) {
  if (!interval) return;
  one.low = interval->low;
  one.high = interval->high;
  one.interval = interval->method;
}

ShareBlock::ShareBlock(size_t num_columns) : counts_(num_columns), clusters_(num_columns) {}

void ShareBlock::add(const std::string& cluster, const std::vector<double>& values) {
  size_t number = clusters_.cluster(cluster);
  ++num_items_;
  for (size_t i = 0; i < counts_.size(); ++i) {
    double value = values.at(i);
    if (!std::isfinite(value)) {
      ++counts_[i].undefined;
      continue;
    }
    ++counts_[i].n;
    if (value == 1.0) ++counts_[i].successes;
    clusters_.add(number, i, value);
  }
}

std::vector<metrics::Measurement> ShareBlock::measure(const std::string& id_start,
                                                      std::span<const Column> columns,
                                                      const PooledOptions& options) const {
  bool resamples = options.bootstrap > 0 || clusters_.num_clusters() < num_items_;
  std::vector<std::optional<stats::Interval>> resampled(counts_.size());
  if (resamples && num_items_ > 0) resampled = clusters_.intervals(bootstrap_options(options));
  std::vector<metrics::Measurement> all;
  for (size_t i = 0; i < counts_.size(); ++i) {
    const Count& count = counts_[i];
    metrics::Measurement one{.id = id_start + columns[i].name,
                             .n = count.n,
                             .higher_is_better = columns[i].higher_is_better,
                             .chance = columns[i].chance};
    if (count.undefined > 0)
      one.reason = fmt::format("{} items with no defined value are left out", count.undefined);
    if (count.n == 0) {
      one.reason = fmt::format("undefined for all {} items", num_items_);
    } else {
      one.value = static_cast<double>(count.successes) / static_cast<double>(count.n);
      set_interval(
          one,
          resamples ? resampled[i] : stats::wilson(count.successes, count.n, options.confidence));
    }
    all.push_back(std::move(one));
  }
  return all;
}

void PooledShares::add(const std::string& cluster, size_t column, double value) {
  auto [found, is_new] = numbers_.try_emplace(cluster, rows_.size());
  if (is_new) rows_.emplace_back();
  Row& row = rows_[found->second];
  auto place = std::lower_bound(
      row.begin(), row.end(), column, [](const Part& part, size_t c) { return part.column < c; });
  if (place == row.end() || place->column != column)
    place = row.insert(place, {static_cast<uint32_t>(column), 0, 0});
  place->sum += value;
  place->weight += 1;
  has_shared_ = has_shared_ || place->weight > 1;
}

std::optional<stats::Interval> PooledShares::interval(const Statistic& statistic,
                                                      const PooledOptions& options) const {
  auto less = [](const Row* a, const Row* b) {
    return std::lexicographical_compare(
        a->begin(), a->end(), b->begin(), b->end(), [](const Part& x, const Part& y) {
          return std::tie(x.column, x.sum, x.weight) < std::tie(y.column, y.sum, y.weight);
        });
  };
  std::map<const Row*, uint32_t, decltype(less)> numbers(less);
  std::vector<const Row*> kinds;
  std::vector<uint32_t> kind_of;
  kind_of.reserve(rows_.size());
  for (const Row& row : rows_) {
    auto [found, is_new] = numbers.try_emplace(&row, static_cast<uint32_t>(kinds.size()));
    if (is_new) kinds.push_back(&row);
    kind_of.push_back(found->second);
  }
  auto pooled = [&](std::span<const uint32_t> draws) {
    std::vector<uint32_t> times(kinds.size());
    for (uint32_t draw : draws) ++times[kind_of[draw]];
    std::vector<double> shares(num_columns_);
    std::vector<double> weights(num_columns_);
    for (size_t kind = 0; kind < kinds.size(); ++kind) {
      for (const Part& part : *kinds[kind]) {
        shares[part.column] += times[kind] * part.sum;
        weights[part.column] += times[kind] * part.weight;
      }
    }
    for (size_t column = 0; column < num_columns_; ++column) {
      shares[column] = weights[column] > 0 ? shares[column] / weights[column]
                                           : std::numeric_limits<double>::quiet_NaN();
    }
    return statistic(shares);
  };
  std::optional<stats::Interval> interval =
      stats::cluster_bootstrap(rows_.size(), pooled, bootstrap_options(options));
  if (interval && !has_shared_) interval->method = "bootstrap";
  return interval;
}

}  // namespace snellen::tasks
