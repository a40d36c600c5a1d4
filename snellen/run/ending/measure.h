// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/metrics/metric.h"
#include "snellen/run/plan.h"
#include "snellen/store/samples.h"

namespace snellen::run {

struct MeasureOptions {
  double confidence = 0.95;
  uint64_t bootstrap = 0;  // replicates asked for everywhere; 0: only where items share a cluster
  uint64_t seed = 0;
  unsigned num_threads = 1;
  std::vector<bool> is_left_out = {};  // by task; empty: none is
};

// The metrics of a run, from its samples alone: the mean of every column over the scored items of
// every part, and per category where a column asks for it, with the intervals of
// docs/stats/intervals.md. Undefined values are left out and, if none is left, the value is
// undefined with its reason.
std::vector<metrics::Measurement> measure(store::Samples& samples, const MeasureOptions& options);

// The columns of a task as metrics know them.
std::vector<metrics::MetricColumn> columns_of(const store::TaskRecord& record);

// As `settings` ask for them.
MeasureOptions measure_options(const RunSettings& settings);

// The metrics of a run: the means of the columns, and what the tasks pool; without those of tasks
// that are left out.
std::vector<metrics::Measurement> all_metrics(const std::vector<OpenTask>& tasks,
                                              const RunSettings& settings,
                                              store::Samples& samples,
                                              const std::vector<bool>& is_left_out = {});

// Undefined values per column of one task, by metric id; only those that occur. `all` is what
// measure() gave.
std::map<std::string, uint64_t> undefined_counts(const store::TaskRecord& record,
                                                 std::span<const metrics::Measurement> all);

}  // namespace snellen::run
