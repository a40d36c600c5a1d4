// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "snellen/metrics/vilma/vilma_leaderboard.h"
#include "snellen/metrics/vilma/vilma_suite.h"

namespace snellen::metrics {

// One JSON object: subtasks, tasks, macro_average_over_tasks, leaderboard. Percentages have two
// decimals; n_P, n_T and n_PT are the correct counts; low, high, ties and chance stand beside them
// per column.
std::string vilma_suite_json(const VilmaSuite& suite, std::span<const VilmaLeader> leaders);

}  // namespace snellen::metrics
