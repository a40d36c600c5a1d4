// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks::bias_close {

// accuracy, accuracy_parsed, parse_rate, refusal_rate, unknown_rate.
const std::vector<Column>& columns();

// What judge() notes about an item beyond its values.
struct Detail {
  std::string condition;
  std::string status;
  std::string rule;
  bool is_unknown = false;  // the unknown option was chosen; in compat: the answer holds "(C)"

  std::string to_json() const;
  static Detail from_json(const std::string& json);
};

// All items together, by condition and by category; the unweighted mean over categories, the
// differences between subsets and between conditions.
std::vector<metrics::Measurement> pooled_metrics(const std::vector<Part>& parts,
                                                 OutcomeReader& outcomes,
                                                 const PooledOptions& options);

}  // namespace snellen::tasks::bias_close
