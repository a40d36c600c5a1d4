// SPDX-License-Identifier: Apache-2.0
// Does a finished run meet requirements on its metrics?
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/report/compare.h"
#include "snellen/report/requirement.h"

namespace snellen::report {

struct GateCheck {
  Requirement requirement;
  metrics::Measurement measured;
  std::optional<metrics::Measurement> baseline = std::nullopt;
  std::optional<double> compared = std::nullopt;   // the value or bound; nothing when undefined
  std::optional<double> threshold = std::nullopt;  // nothing when the baseline is undefined
  bool is_met = false;
  std::string reason = {};  // why it can not be met, beyond the numbers
};

// That a run is not worse than another by more than a margin, item by item: the bound of the paired
// difference on the worse side lies within it. No difference found is not enough.
struct NotWorse {
  std::filesystem::path base;
  double by = 0;                          // in the unit of the values, above 0
  std::vector<std::string> metrics = {};  // task/part/metric; none: the decisions of every task
  CompareOptions options = {};
};

struct NotWorseCheck {
  ComparedRow row;  // differences are run - base
  double by = 0;
  std::optional<double> worst = std::nullopt;  // what the difference may be at worst, below 0 worse
  bool is_met = false;
  std::string reason = {};  // why it can not be met, beyond the numbers
};

struct GateVerdict {
  std::string run = {};
  std::string model = {};
  std::string baseline = {};  // folder, empty when none was given
  std::string baseline_model = {};
  uint64_t num_unscored = 0;  // failed and skipped items of the run, by its stamp
  std::vector<GateCheck> checks = {};
  std::string base = {};  // folder of the run it may not be worse than, empty when none was given
  std::string base_model = {};
  std::vector<NotWorseCheck> not_worse = {};
  std::vector<std::string> warnings = {};  // of the comparison with it
  bool is_met() const;                     // false without checks
};

struct GateRequest {
  std::filesystem::path run;
  std::optional<std::filesystem::path> baseline = std::nullopt;
  std::vector<Requirement> requirements = {};
  std::optional<NotWorse> not_worse = std::nullopt;
};

// An undefined value, a value over no item and a missing interval bound meet nothing. Throws kUsage
// for an unknown metric (with the nearest known ones) or a baseline that is asked for and not
// given, or given and not asked for; kNotFound and kInvalidInput for a folder that is unfinished,
// damaged, or changed since its stamp was written.
GateVerdict gate(const GateRequest& request);

}  // namespace snellen::report
