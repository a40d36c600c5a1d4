// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/paired_row.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "snellen/stats/cluster_sums.h"
#include "snellen/stats/moments.h"
#include "snellen/stats/multiple.h"
#include "snellen/stats/paired.h"
#include "snellen/stats/power.h"

namespace snellen::report {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// The defined differences of one column.
std::vector<double> column_of(std::span<const double> differences,
                              size_t num_columns,
                              size_t place) {
  std::vector<double> column;
  for (size_t i = place; i < differences.size(); i += num_columns) {
    if (!std::isnan(differences[i])) column.push_back(differences[i]);
  }
  return column;
}

// Sums over clusters, in order of first appearance.
std::vector<double> cluster_sums(std::span<const double> differences,
                                 std::span<const uint32_t> clusters,
                                 size_t num_columns,
                                 size_t place) {
  constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  std::vector<uint32_t> order(*std::max_element(clusters.begin(), clusters.end()) + size_t{1},
                              kNone);
  std::vector<double> sums;
  for (size_t item = 0; item < clusters.size(); ++item) {
    double difference = differences[item * num_columns + place];
    if (std::isnan(difference)) continue;
    uint32_t& number = order[clusters[item]];
    if (number == kNone) {
      number = static_cast<uint32_t>(sums.size());
      sums.push_back(0.0);
    }
    sums[number] += difference;
  }
  return sums;
}

void test_share(ComparedRow& row, const PairedCounts& counts) {
  stats::McNemar test = stats::mcnemar(counts.only_first, counts.only_second);
  row.counts = counts;
  row.p = test.p;
  row.p_method = test.method;
  row.mid_p = test.mid_p;
  double discordant =
      static_cast<double>(counts.only_first + counts.only_second) / static_cast<double>(row.n);
  row.detectable = stats::detectable_paired_share(discordant, static_cast<double>(row.n));
}

}  // namespace

bool has_shared_clusters(std::span<const uint32_t> clusters) {
  std::vector<uint32_t> sorted(clusters.begin(), clusters.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

std::vector<std::optional<stats::Interval>> difference_intervals(
    std::span<const double> differences,
    std::span<const uint32_t> clusters,
    size_t num_columns,
    const CompareOptions& options) {
  stats::BootstrapOptions bootstrap{.replicates = options.bootstrap,
                                    .confidence = options.confidence,
                                    .seed = options.seed,
                                    .num_threads = options.num_threads};
  std::vector<std::optional<stats::Interval>> intervals;
  if (!has_shared_clusters(clusters)) {
    for (size_t place = 0; place < num_columns; ++place) {
      intervals.push_back(
          stats::bootstrap_mean(column_of(differences, num_columns, place), bootstrap));
    }
    return intervals;
  }
  stats::ClusterBootstrap resampled(num_columns);
  for (size_t item = 0; item < clusters.size(); ++item) {
    size_t cluster = resampled.cluster(std::to_string(clusters[item]));
    for (size_t place = 0; place < num_columns; ++place) {
      double difference = differences[item * num_columns + place];
      if (!std::isnan(difference)) resampled.add(cluster, place, difference);
    }
  }
  return resampled.intervals(bootstrap);
}

ComparedRow compared_row(const PairedColumn& column,
                         std::span<const double> differences,
                         std::span<const uint32_t> clusters,
                         size_t num_columns,
                         size_t place,
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
  if (row.is_share) {
    test_share(row, column.counts);
    return row;
  }
  std::vector<double> items = column_of(differences, num_columns, place);
  stats::Moments moments;
  for (double difference : items) moments.add(difference);
  row.detectable = stats::detectable_paired_mean(moments.sample_sd(), static_cast<double>(row.n));
  // Items of one cluster are not exchangeable one by one, so their signs are flipped together.
  bool is_clustered = has_shared_clusters(clusters);
  if (is_clustered) items = cluster_sums(differences, clusters, num_columns, place);
  std::optional<stats::SignFlip> test = stats::sign_flip_test(
      items,
      {.draws = options.permutations, .seed = options.seed, .num_threads = options.num_threads});
  if (test) row.p = test->p;
  row.p_method = is_clustered ? "cluster-permutation" : "permutation";
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
