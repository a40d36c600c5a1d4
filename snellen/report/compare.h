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

struct CompareOptions {
  double confidence = 0.95;
  uint64_t bootstrap = 2000;      // replicates
  uint64_t permutations = 10000;  // draws
  uint64_t seed = 0;
  size_t num_items = 10;  // disagreements listed a task
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
  std::optional<PairedCounts> counts = std::nullopt;  // shares only
  std::optional<double> p = std::nullopt;
  std::string p_method =
      {};  // "mcnemar-exact", "mcnemar-corrected", "permutation", "cluster-permutation"
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
