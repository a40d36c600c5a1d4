// SPDX-License-Identifier: Apache-2.0
// What `score vilma` prints beside the table of metrics.
#pragma once

#include "snellen/tasks/task.h"

namespace snellen::tasks::vilma {

// --merge joins results files; --compat without a run folder prints what the reference prints.
std::optional<DirectOutput> without_run(const DirectRequest& request);

// The lines of the reference, or the public leaderboard beside a suite. A score that is no
// probability is exit code 4: the run is whole, but some metrics could not be computed.
TaskReport report_of(const ReportRequest& request);

}  // namespace snellen::tasks::vilma
