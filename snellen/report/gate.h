// SPDX-License-Identifier: Apache-2.0
// Does a finished run meet requirements on its metrics?
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
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

struct GateVerdict {
  std::string run = {};
  std::string model = {};
  std::string baseline = {};  // folder, empty when none was given
  uint64_t num_unscored = 0;  // failed and skipped items of the run, by its stamp
  std::vector<GateCheck> checks = {};
  bool is_met() const;  // false without checks
};

struct GateRequest {
  std::filesystem::path run;
  std::optional<std::filesystem::path> baseline = std::nullopt;
  std::vector<Requirement> requirements = {};
};

// An undefined value, a value over no item and a missing interval bound meet nothing. Throws kUsage
// for an unknown metric (with the nearest known ones) or a baseline that is asked for and not
// given, or given and not asked for; kNotFound and kInvalidInput for a folder that is unfinished,
// damaged, or changed since its stamp was written.
GateVerdict gate(const GateRequest& request);

}  // namespace snellen::report
