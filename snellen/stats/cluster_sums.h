// SPDX-License-Identifier: Apache-2.0
// Sums of several columns (metrics) over groups of items that share a picture or clip, or two of
// them: all that intervals of their means need. Memory grows with the groups, not with the items.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/distinct_ids.h"
#include "snellen/stats/bootstrap.h"
#include "snellen/stats/cluster_mean.h"

namespace snellen::stats {

// Units and clusters are numbered in order of first appearance, which is part of the result: feed
// items in item order. A unit may be empty in some columns. One thread at a time while it is
// filled.
class ClusterSums {
 public:
  using Part = WeightedSum;  // a column's share of one unit

  explicit ClusterSums(size_t num_columns);

  // The number of the unit of items that share exactly these clusters, new at first sight: one
  // picture or clip, or two in either order.
  size_t unit(std::string_view name);
  size_t unit(std::span<const std::string> names);
  // Adds an item of `weight` with this value: weight * value to the sum. Needs a number from
  // unit().
  void add(size_t unit, size_t column, double value, double weight = 1.0);

  size_t num_columns() const { return num_columns_; }
  size_t num_units() const { return parts_.size() / num_columns_; }
  size_t num_clusters() const { return is_two_way() ? names_.size() : num_units(); }
  // Has some unit two clusters?
  bool is_two_way() const { return !clusters_.empty(); }

  // All columns of one unit.
  std::span<const Part> parts_of(size_t unit) const {
    return std::span(parts_).subspan(unit * num_columns_, num_columns_);
  }
  // Do this many items, all that were added, share clusters?
  bool is_shared(uint64_t num_items) const { return is_two_way() || num_units() < num_items; }
  // The column's sums by unit.
  std::vector<Part> sums(size_t column) const;
  // The column's mean with its variance over clusters; undefined with a NaN in the column.
  MeanEstimate estimate(size_t column) const;

  // The specs' percentile bootstrap: clusters are drawn with replacement, all columns with the same
  // draws; a unit counts as often as its clusters were drawn (the product for two). The statistic
  // of a column is its pooled sum / pooled weight. Methods "cluster-bootstrap" and
  // "two-way-bootstrap"; nothing for a column without weight or with a NaN in it.
  std::vector<std::optional<Interval>> intervals(const BootstrapOptions& options) const;

  // The interval of every column's mean by the rules of docs/stats/intervals.md for items that
  // share clusters: by formula, or the percentile bootstrap where replicates are asked for (0:
  // none).
  std::vector<MeanInterval> mean_intervals(std::span<const ValueKind> kinds,
                                           const BootstrapOptions& options) const;

 private:
  void start_pairs();
  size_t add_unit() {
    parts_.resize(parts_.size() + num_columns_);
    return num_units() - 1;
  }
  size_t unit_of(const UnitClusters& clusters);
  void pool(uint64_t seed, uint64_t replicate, std::span<Part> pooled) const;
  void pool_two_way(uint64_t seed,
                    uint64_t replicate,
                    std::vector<uint32_t>& times,
                    std::span<Part> pooled) const;
  bool is_undefined(size_t column) const;

  size_t num_columns_;
  std::vector<Part> parts_;  // [units, columns]
  DistinctIds names_;        // clusters by number
  // From the first unit with two clusters on:
  std::vector<UnitClusters> clusters_;  // by unit
  DistinctIds units_;
};

}  // namespace snellen::stats
