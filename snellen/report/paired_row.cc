// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/paired_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "snellen/stats/multiple.h"
#include "snellen/stats/paired.h"
#include "snellen/stats/power.h"

namespace snellen::report {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

bool has_shared_clusters(std::span<const stats::UnitClusters> clusters) {
  std::vector<uint32_t> sorted;
  for (const auto& [a, b] : clusters) {
    sorted.push_back(a);
    if (b != stats::kNoCluster) sorted.push_back(b);
  }
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

void set_interval(ComparedRow& row,
                  const stats::MeanEstimate& estimate,
                  const PairedSums& sums,
                  size_t place,
                  const CompareOptions& options) {
  if (options.bootstrap > 0) {
    row.interval = sums.bootstrap[place];
    if (row.interval && !sums.is_shared) row.interval->method = "bootstrap";
    return;
  }
  auto kind = row.is_share ? stats::ValueKind::kDifference : stats::ValueKind::kMean;
  stats::MeanInterval found = stats::interval_of(estimate, kind, options.confidence);
  row.interval = std::move(found.interval);
  row.reason = std::move(found.reason);
  if (sums.is_shared) return;
  if (row.interval) row.interval->method = estimate.variance > 0.0 ? "paired-t" : "wilson";
  if (estimate.num_clusters < stats::kFewestClusters && !row.reason.empty())
    row.reason = "too few items for an interval";
}

// Over the clusters' sums; nothing that items share is taken apart. With two clusters per item a
// flip of one would flip parts of others, so the t test of the interval stands in.
void test_by_clusters(ComparedRow& row,
                      const stats::MeanEstimate& estimate,
                      const PairedSums& sums,
                      size_t place,
                      double smallest_p,
                      const CompareOptions& options) {
  if (sums.is_shared && sums.sums.is_two_way()) {
    row.p = stats::mean_test_p(estimate);
    row.p_method = row.p ? "dyadic-t" : "";
    return;
  }
  std::vector<double> differences;
  for (const stats::WeightedSum& one : sums.sums.sums(place)) differences.push_back(one.sum);
  std::optional<stats::SignFlip> test = stats::sign_flip_test(differences,
                                                              {.draws = options.permutations,
                                                               .smallest_p = smallest_p,
                                                               .seed = options.seed,
                                                               .num_threads = options.num_threads});
  if (!test) return;
  row.p = test->p;
  row.is_p_floor = test->is_floor();
  row.p_method = sums.is_shared ? "cluster-sign-flip" : "sign-flip";
}

void test_by_mcnemar(ComparedRow& row) {
  stats::McNemar test = stats::mcnemar(row.counts->only_first, row.counts->only_second);
  row.p = test.p;
  row.p_method = test.method;
  row.mid_p = test.mid_p;
}

}  // namespace

PairedSums sums_of(std::span<const double> differences,
                   std::span<const stats::UnitClusters> clusters,
                   size_t num_columns,
                   const CompareOptions& options) {
  PairedSums all{.sums = stats::ClusterSums(num_columns)};
  all.moments.resize(num_columns);
  all.is_shared = has_shared_clusters(clusters);
  std::vector<std::string> names;
  for (size_t item = 0; item < clusters.size(); ++item) {
    names.assign(1, std::to_string(clusters[item][0]));
    // What no other item shows binds nothing together.
    if (all.is_shared && clusters[item][1] != stats::kNoCluster)
      names.push_back(std::to_string(clusters[item][1]));
    size_t unit = all.sums.unit(names);
    for (size_t place = 0; place < num_columns; ++place) {
      double difference = differences[item * num_columns + place];
      if (std::isnan(difference)) continue;
      all.sums.add(unit, place, difference);
      all.moments[place].add(difference);
    }
  }
  if (options.bootstrap > 0) {
    all.bootstrap = all.sums.intervals({.replicates = options.bootstrap,
                                        .confidence = options.confidence,
                                        .seed = options.seed,
                                        .num_threads = options.num_threads});
  }
  return all;
}

ComparedRow compared_row(const PairedColumn& column,
                         const PairedSums& sums,
                         size_t place,
                         double smallest_p,
                         const CompareOptions& options) {
  ComparedRow row{.is_share = column.is_share,
                  .higher_is_better = column.higher_is_better,
                  .n = column.n,
                  .num_undefined = column.num_undefined,
                  .first_ties = column.first_ties,
                  .second_ties = column.second_ties,
                  .first = kUndefined,
                  .second = kUndefined,
                  .difference = kUndefined};
  if (row.n == 0) return row;
  row.first = column.first_sum.value() / static_cast<double>(row.n);
  row.second = column.second_sum.value() / static_cast<double>(row.n);
  row.difference = row.second - row.first;
  if (row.is_share) row.counts = column.counts;
  stats::MeanEstimate estimate = sums.sums.estimate(place);
  row.num_clusters = estimate.num_clusters;
  set_interval(row, estimate, sums, place, options);
  double item_variance = sums.moments[place].sample_variance();
  row.sd = std::sqrt(item_variance);
  row.effective_n =
      sums.is_shared ? stats::effective_n(estimate, item_variance) : static_cast<double>(row.n);
  if (row.is_share && (options.test == PairedTest::kMcNemar || !sums.is_shared)) {
    test_by_mcnemar(row);
  } else {
    test_by_clusters(row, estimate, sums, place, smallest_p, options);
  }
  if (row.is_share) {
    double discordant = static_cast<double>(row.counts->only_first + row.counts->only_second) /
                        static_cast<double>(row.n);
    row.detectable = stats::detectable_paired_share(discordant, row.effective_n);
  } else {
    row.detectable = stats::detectable_paired_mean(row.sd, row.effective_n);
  }
  return row;
}

size_t adjust_family(std::vector<ComparedRow>& rows, RowKind kind) {
  std::vector<double> p_values;
  std::vector<ComparedRow*> tested;
  for (ComparedRow& row : rows) {
    if (row.kind != kind || !row.p) continue;
    p_values.push_back(*row.p);
    tested.push_back(&row);
  }
  std::vector<double> adjusted = stats::holm(p_values);
  for (size_t i = 0; i < tested.size(); ++i) tested[i]->p_holm = adjusted[i];
  return tested.size();
}

}  // namespace snellen::report
