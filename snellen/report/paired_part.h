// SPDX-License-Identifier: Apache-2.0
// One part of one task in two runs, joined item by item.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snellen/base/distinct_ids.h"
#include "snellen/stats/cluster_mean.h"
#include "snellen/stats/sum.h"
#include "snellen/store/marks.h"
#include "snellen/store/samples.h"

namespace snellen::report {

// Of items that are right or wrong in both runs.
struct PairedCounts {
  uint64_t both_right = 0;
  uint64_t only_first = 0;
  uint64_t only_second = 0;
  uint64_t both_wrong = 0;
};

// What a column came to on the common items that have a finite value in both runs.
struct PairedColumn {
  std::string name = {};  // empty: the headline decision, is_correct of the samples
  bool is_share = false;
  bool higher_is_better = true;
  uint64_t n = 0;
  uint64_t num_undefined = 0;  // common items left out: undefined in one run or both
  uint64_t first_ties = 0;
  uint64_t second_ties = 0;
  stats::Sum first_sum = {};
  stats::Sum second_sum = {};
  PairedCounts counts = {};  // shares only
};

// An item on whose margin the runs disagree.
struct Disagreement {
  std::string item = {};
  uint64_t order;  // its place among the first run's scored items of the part
  double first_margin;
  double second_margin;
  std::optional<bool> first_right = std::nullopt;
  std::optional<bool> second_right = std::nullopt;
};

struct PairedPart {
  uint64_t first_scored = 0;
  uint64_t first_unscored = 0;  // failed or skipped
  uint64_t second_scored = 0;
  uint64_t second_unscored = 0;
  uint64_t num_left_out = 0;               // of the first run: somebody marked them
  std::vector<PairedColumn> columns = {};  // those both runs have, then the headline decision
  // Common items, scored in both, in the first run's order:
  std::vector<stats::UnitClusters> clusters;  // numbers of `cluster_names`
  std::vector<double> differences = {};       // [items, columns], second - first; NaN: undefined
  std::vector<Disagreement> disagreements =
      {};  // margins furthest apart first; equal margins are no disagreement
};

// Where a part's samples are.
struct PartSource {
  store::Samples& samples;
  const store::TaskRecord& record;
  uint32_t task;
  uint32_t part;
  std::string folder = {};  // for messages
  const store::MarkedItems* left_out = nullptr;
};

// The numbers of the sample's clusters; a sample without any is a cluster of its own.
stats::UnitClusters clusters_of(const store::Sample& sample, DistinctIds& cluster_names);

// Joins by item id. An item without cluster is a cluster of its own. Memory: 8 bytes per column and
// about 52 per item of the part, no texts. Throws kInvalidInput for samples that do not fit their
// columns or an id that comes twice.
PairedPart join_part(const PartSource& first,
                     const PartSource& second,
                     DistinctIds& cluster_names,
                     size_t max_disagreements);

}  // namespace snellen::report
