// SPDX-License-Identifier: Apache-2.0
// What is no mean of a column: tasks pooled over their subtasks, the average of the tasks, and the
// probability metrics over all texts.
#pragma once

#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/tasks/task.h"
#include "snellen/tasks/vilma/stored.h"

namespace snellen::tasks::vilma {

// A part as it was stored.
struct StoredRow {
  std::string id;
  std::string clip;
  std::vector<double> values;
  uint64_t tied_columns = 0;
  StoredScores stored;
};
struct StoredPart {
  std::string task;
  std::string part;
  metrics::FoilMode mode = metrics::FoilMode::kSimilarity;
  std::vector<StoredRow> rows;
};
std::vector<StoredPart> read_parts(const Sources& sources, OutcomeReader& outcomes);

// What the evaluators say about stored rows; `longest_entry` as in Sources.
metrics::FoilReport evaluate_rows(const std::vector<const StoredRow*>& rows,
                                  const Sources& sources,
                                  const metrics::FoilRules& rules);

// The chance levels of an item, one per column: P 1/2, T 1/(1+foils), P+T their product.
std::vector<double> chances_of(size_t num_foils, size_t num_prof_foils, bool is_pair);

// P, T and P+T of a pair, else the one that `texts` says. A column's chance is set where all items
// share it.
struct NumFoils {
  size_t main = 0;
  size_t proficiency = 0;
};
std::vector<Column> columns_of(const std::vector<NumFoils>& items,
                               bool is_pair,
                               ScoredTexts texts,
                               const metrics::FoilRules& rules);

struct PooledRequest {
  const Sources& sources;
  const metrics::FoilRules& rules;
  const std::vector<Column>& columns;
  const PooledOptions& options;
};

// vilma/<task>/{P,T,PT} for tasks that are not a part of the same name; vilma/average/... over the
// tasks when there are several; vilma/<part or task>/{p_c,p_f,min,acc,auroc} where all rows are
// probabilities; vilma/<part>/<column>_chance for columns whose chance is not the same for all
// items.
// Intervals: Wilson, or clips resampled where items share one or --bootstrap asks; the average
// combines the tasks' as independent (MOVER).
std::vector<metrics::Measurement> pooled_metrics(const PooledRequest& request,
                                                 const std::vector<StoredPart>& parts);

}  // namespace snellen::tasks::vilma
