// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/metrics/choice/winoground.h"
#include "snellen/tasks/item.h"

namespace snellen::tasks::probe_c {

// The values of metrics::judge_winoground(). With `is_transposed` images and prompts are exchanged
// first, as the reference does for FLAVA (docs/spec/probe.md 3.3, 8.2).
Outcome judge_group(const metrics::FourScores& scores,
                    bool is_transposed,
                    metrics::Ties ties = metrics::Ties::kWrong,
                    bool are_shares_per_image = false);

}  // namespace snellen::tasks::probe_c
