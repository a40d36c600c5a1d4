// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "snellen/report/compare.h"

namespace snellen::report {

// The place of each run by the decisions of a task, 1 the best: one row per run of `pairs`, in the
// runs' order.
// `pairs` are the tests of all pairs of runs on that task. A run is below each run that was found
// better and above each that was found worse, at p-values adjusted over all pairs (Holm), so the
// intervals hold together (Mogstad, Romano, Shaikh and Wilhelm 2024).
std::vector<RankRow> rank_runs(const std::string& task,
                               size_t num_runs,
                               const std::vector<PairDecision>& pairs,
                               double alpha);

}  // namespace snellen::report
