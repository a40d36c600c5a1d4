// SPDX-License-Identifier: Apache-2.0
// A run under its controls (docs/control.md, docs/spec/bias.md 4.3): every metric as it is and
// under each rung, what is lost, and the verdicts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/metrics/control/control_verdict.h"
#include "snellen/metrics/control/paired_differences.h"
#include "snellen/metrics/measurement.h"

namespace snellen::metrics {

// Whether a score under this control alone says what a model does without the picture: none, gray,
// pure, mismatch. The others only grade.
bool is_blind_control(std::string_view rung);

// One metric under one control.
struct RungResult {
  std::string rung = {};
  Measurement score = {};                           // over all items scored under it
  std::optional<PairedDifference> lost = {};        // clean - rung; none for pooled metrics
  uint64_t num_moved = 0;                           // items with a score that moved
  std::optional<double> p_holm = std::nullopt;      // over the rungs of the metric
  std::optional<double> leak_ratio = std::nullopt;  // of blind rungs
};

struct ControlVerdict {
  ControlQuestion question = ControlQuestion::kPicture;
  std::string rung = {};  // that it was judged by
  ControlClass found = ControlClass::kCannotTell;
  ControlEvidence evidence = {};
  std::string sentence = {};
};

struct ControlledMetric {
  Measurement clean = {};
  std::vector<RungResult> rungs = {};         // in the order asked for
  std::vector<ControlVerdict> verdicts = {};  // none without a chance level
  // Of shares, over items that every blind rung has: right under all of them.
  std::optional<double> blind_solvable = std::nullopt;
  std::optional<uint64_t> num_text_solvable = std::nullopt;  // right in 75 % of them or more
};

// Fills in leak ratios, adjusted p-values and verdicts of a metric whose scores and differences are
// there. Picture: by the best of the blind rungs; order: by `reverse`; motion: by `freeze`.
void judge_controls(ControlledMetric& metric);

// A control that could not be applied to a task.
struct RungLeftOut {
  std::string rung = {};
  std::string task = {};
  std::string reason = {};
};

struct ControlReport {
  std::vector<std::string> rungs = {};  // as asked for
  std::vector<RungLeftOut> left_out = {};
  std::vector<ControlledMetric> metrics = {};  // ordered by id
  // Items right in at least 75 % of the blind rungs of their task's headline decision.
  std::vector<std::string> text_solvable = {};  // the first of them
};

}  // namespace snellen::metrics
