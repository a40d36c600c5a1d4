// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/metrics/winoground.h"
#include "snellen/tasks/item.h"

namespace snellen::tasks::probe_c {

// Values: text, image, group (0 or 1), the four confidences image1/prompt1 .. image2/prompt2, and
// the mean confidence of the two right pairs. With `is_transposed` images and prompts are exchanged
// first, as the reference does for FLAVA (spec/probe.md 3.3, 8.2).
Outcome judge_group(const metrics::FourScores& scores, bool is_transposed);

}  // namespace snellen::tasks::probe_c
