// SPDX-License-Identifier: Apache-2.0
// A training's log as curves: the loss, and every probe with its interval.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "snellen/metrics/measurement.h"

namespace snellen::report {

struct LoggedEvaluation {
  uint64_t step = 0;
  double loss = 0;  // NaN where it has none
  std::vector<metrics::Measurement> scores;
};

struct TrainingCurves {
  std::vector<double> steps;
  std::vector<double> losses;  // of those steps; NaN where one was not finite
  std::vector<LoggedEvaluation> evaluations;
};

// {"name", "value", "n", "low", "high", "chance"}, as logs and sweeps hold scores.
metrics::Measurement score_from_json(const nlohmann::json& json);

// From train.jsonl; lines that are no objects, as the last of a killed process, are left out.
TrainingCurves read_training_log(const std::filesystem::path& file);

// Small panels side by side: the loss of each step, pale, its running mean and that of held-out
// samples; then every score. The same log gives the same bytes.
std::string training_curves_svg(const TrainingCurves& curves);

}  // namespace snellen::report
