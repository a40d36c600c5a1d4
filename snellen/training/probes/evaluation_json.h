// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "snellen/training/probes/evaluation.h"

namespace snellen::training {

// {"name", "value", "n", "low", "high", "interval", "ties"}, value and bounds null where there is
// none, "chance" and "reason" where there is one.
nlohmann::ordered_json score_to_json(const metrics::Measurement& score);
// {"loss", "scores": [..]}, and "failed" and "reasons" where questions could not be asked.
nlohmann::ordered_json evaluation_to_json(const EvaluationReport& evaluation);

}  // namespace snellen::training
