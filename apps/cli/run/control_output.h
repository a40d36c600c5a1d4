// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/cli/run/run_output.h"
#include "snellen/metrics/control/control_report.h"

namespace snellen::cli {

// What `run --control` prints below the metrics: every score under every control, the verdicts in
// sentences, and the controls that could not be applied.
void print_control(const metrics::ControlReport& report, const ShowOptions& show);

}  // namespace snellen::cli
