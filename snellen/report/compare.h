// SPDX-License-Identifier: Apache-2.0
// Runs compared item by item: every later run with the first, on the items scored in both.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/report/paired_part.h"
#include "snellen/stats/interval.h"

namespace snellen::report {

// Which test decides about shares.
enum class PairedTest {
  kByItems,  // McNemar's for independent items; where items share clusters, the clusters' own
  kMcNemar,  // McNemar's always
};
std::string_view name_of(PairedTest test);

struct CompareOptions {
  double confidence = 0.95;
  uint64_t bootstrap = 0;         // replicates of the percentile bootstrap; 0: intervals by formula
  uint64_t permutations = 10000;  // draws to begin with
  PairedTest test = PairedTest::kByItems;
  uint64_t seed = 0;
  size_t num_items = 10;  // disagreements listed per task
  // Tasks of other names over the same items: what the first run calls it, what the later ones do.
  std::vector<std::pair<std::string, std::string>> same_tasks = {};
  std::vector<std::filesystem::path> marks = {};  // files whose marked items are left out
  unsigned num_threads = 1;
};

// A row's family: p-values are adjusted together with those of the same kind, over all runs.
enum class RowKind { kTask, kPart, kColumn };
std::string_view name_of(RowKind kind);

// One comparison of the first run with a later one. Differences are later - first. NaN: undefined,
// n is 0.
struct ComparedRow {
  RowKind kind = RowKind::kColumn;
  size_t run = 1;       // the later one
  std::string id = {};  // task/part/metric; task or task/part for the headline decision
  bool is_share = false;
  bool higher_is_better = true;
  uint64_t n = 0;
  uint64_t num_undefined = 0;  // common items left out
  uint64_t first_ties = 0;
  uint64_t second_ties = 0;
  double first = 0;
  double second = 0;
  double difference = 0;
  std::optional<stats::Interval> interval = std::nullopt;
  double sd = 0;              // of the items' differences
  std::string reason = {};    // why there is no interval
  uint64_t num_clusters = 0;  // pictures or clips; items where they share none
  double effective_n = 0;     // how many independent items would tell as much
  std::optional<PairedCounts> counts = std::nullopt;  // shares only
  std::optional<double> p = std::nullopt;
  bool is_p_floor = false;  // no draw was as far: p is below this, and so is p_holm
  // "mcnemar-exact", "mcnemar-corrected", "sign-flip", "cluster-sign-flip", "dyadic-t".
  std::string p_method = {};
  std::optional<double> mid_p = std::nullopt;  // McNemar's
  std::optional<double> p_holm = std::nullopt;
  std::optional<double> detectable =
      std::nullopt;  // minimum detectable effect, alpha 0.05, power 0.8
};

// How many items a part had in each run, and how many are compared.
struct Coverage {
  size_t run = 1;
  std::string task = {};
  std::string part = {};
  uint64_t first_scored = 0;
  uint64_t first_unscored = 0;
  uint64_t second_scored = 0;
  uint64_t second_unscored = 0;
  uint64_t common = 0;
  bool is_whole() const { return common == first_scored && common == second_scored; }
};

// A metric of results.json that is no mean over items, so nothing can be paired: each run over its
// own items.
struct PooledRow {
  size_t run = 1;
  std::string id = {};
  double first = 0;
  double second = 0;
  uint64_t first_n = 0;
  uint64_t second_n = 0;
};

// The decisions of one task in two of several runs. Differences are second - first.
struct PairDecision {
  size_t first = 0;
  size_t second = 1;
  ComparedRow row = {};
};

// Where a run stands among several by the decisions of a task, 1 the best; between `low` and `high`
// at the comparison's confidence, all runs of the task together.
struct RankRow {
  std::string task = {};
  size_t run = 0;
  double value = 0;
  uint64_t n = 0;
  size_t rank = 1;
  size_t low = 1;
  size_t high = 1;
};

struct ComparedItem {
  size_t run = 1;
  std::string task = {};
  Disagreement what;
};

struct ComparedRun {
  std::string label = {};  // "A", "B", ...
  std::string folder = {};
  std::string model = {};
  std::string verdict = {};
};

struct Comparison {
  CompareOptions options;
  std::vector<ComparedRun> runs = {};
  std::vector<Coverage> coverage = {};
  std::vector<ComparedRow> rows = {};
  std::vector<RankRow> ranks = {};  // of three or more runs
  std::vector<PooledRow> pooled = {};
  std::vector<ComparedItem> items = {};
  std::vector<std::string> warnings = {};

  size_t family_size(RowKind kind) const;  // how many p-values were adjusted together
};

// Throws kUsage for fewer than 2 or more than 26 folders, kNotFound and kInvalidInput for folders
// that cannot be read or that have no item in common.
Comparison compare_runs(std::span<const std::filesystem::path> folders,
                        const CompareOptions& options);

}  // namespace snellen::report
