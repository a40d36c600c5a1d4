// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks::bias_close {

enum CloseColumn : size_t { kAccuracy, kAccuracyParsed, kParseRate, kRefusalRate, kUnknownRate };
const std::vector<Column>& columns();

// The name of what a choice by scores is stored with: how far the best one led.
constexpr const char* kLead = "lead";

// What judge() notes about an item beyond its values.
struct Detail {
  std::string condition;
  std::string status;
  std::string rule;
  bool is_unknown = false;  // the unknown option was chosen; in compat: the answer holds "(C)"

  NamedValues named() const;
  static Detail of(const NamedValues& named);
};

// All items together, by condition and by category; the unweighted mean over categories, the
// differences between subsets and between conditions. `chance` of the accuracy where it is the same
// for all questions; else it is made of what was presented with each item.
std::vector<metrics::Measurement> pooled_metrics(const std::vector<Part>& parts,
                                                 const std::optional<double>& chance,
                                                 OutcomeReader& outcomes,
                                                 const PooledOptions& options);

}  // namespace snellen::tasks::bias_close
