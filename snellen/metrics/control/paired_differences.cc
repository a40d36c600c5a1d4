// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/paired_differences.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "snellen/stats/paired.h"

namespace snellen::metrics {

PairedDifferences::PairedDifferences(std::span<const MetricColumn> columns)
    : running_(columns.size()), sums_(std::max<size_t>(1, columns.size())) {
  for (const MetricColumn& column : columns) is_share_.push_back(column.is_share);
}

void PairedDifferences::add(std::span<const std::string> clusters,
                            std::span<const double> first,
                            std::span<const double> second) {
  const size_t unit = sums_.unit(clusters);
  ++num_items_;
  for (size_t i = 0; i < running_.size(); ++i) {
    if (!std::isfinite(first[i]) || !std::isfinite(second[i])) continue;
    Running& running = running_[i];
    ++running.n;
    running.sum.add(first[i] - second[i]);
    if (first[i] == second[i]) ++running.num_same;
    if (first[i] > second[i]) ++running.only_first;
    if (first[i] < second[i]) ++running.only_second;
    sums_.add(unit, i, first[i] - second[i]);
  }
}

PairedDifference PairedDifferences::of(size_t column,
                                       double smallest_p,
                                       const MeanOptions& options) const {
  const Running& running = running_[column];
  PairedDifference one{.n = running.n, .value = std::numeric_limits<double>::quiet_NaN()};
  if (running.n == 0) {
    one.reason = "no item has a value both times";
    return one;
  }
  const auto n = static_cast<double>(running.n);
  one.value = running.sum.value() / n;
  one.agreement = static_cast<double>(running.num_same) / n;
  const stats::MeanEstimate estimate = sums_.estimate(column);
  if (options.bootstrap > 0) {
    const auto all = sums_.intervals(bootstrap_options(options));
    if (all[column]) {
      one.low = all[column]->low;
      one.high = all[column]->high;
      one.interval = all[column]->method;
    }
  } else {
    const auto kind = is_share_[column] ? stats::ValueKind::kDifference : stats::ValueKind::kMean;
    stats::MeanInterval found = stats::interval_of(estimate, kind, options.confidence);
    one.reason = found.reason;
    if (found.interval) {
      one.low = found.interval->low;
      one.high = found.interval->high;
      one.interval = sums_.is_shared(num_items_) ? found.interval->method
                     : estimate.variance > 0.0   ? "paired-t"
                                                 : "wilson";
    }
  }
  test(one, column, estimate, smallest_p, options);
  return one;
}

void PairedDifferences::test(PairedDifference& one,
                             size_t column,
                             const stats::MeanEstimate& estimate,
                             double smallest_p,
                             const MeanOptions& options) const {
  const bool is_shared = sums_.is_shared(num_items_);
  if (is_share_[column] && !is_shared) {
    const stats::McNemar found =
        stats::mcnemar(running_[column].only_first, running_[column].only_second);
    one.p = found.p;
    one.p_method = found.method;
    return;
  }
  if (sums_.is_two_way()) {
    one.p = stats::mean_test_p(estimate);
    if (one.p) one.p_method = "dyadic-t";
    return;
  }
  std::vector<double> differences;
  for (const stats::WeightedSum& sum : sums_.sums(column)) differences.push_back(sum.sum);
  const std::optional<stats::SignFlip> found = stats::sign_flip_test(
      differences,
      {.smallest_p = smallest_p, .seed = options.seed, .num_threads = options.num_threads});
  if (!found) return;
  one.p = found->p;
  one.p_method = is_shared ? "cluster-sign-flip" : "sign-flip";
}

}  // namespace snellen::metrics
