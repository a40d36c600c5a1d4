// SPDX-License-Identifier: Apache-2.0
// From what a metric says of an item to what a task says of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "snellen/config/options.h"
#include "snellen/metrics/metric.h"
#include "snellen/tasks/item.h"

namespace snellen::tasks {

// --ties, where it was given. Tasks declare no default, so that stamps stay free of it.
std::optional<metrics::Ties> ties_flag(const config::Options& options);

Outcome outcome_of(metrics::Judged judged);

// Where a tie counts one half a decision is no share any more.
Column column_of(const metrics::MetricColumn& column, metrics::Ties ties, bool has_breakdown);
// Of a metric, with a breakdown of its decisions.
std::vector<Column> columns_of(std::span<const metrics::MetricColumn> columns, metrics::Ties ties);
// And back: what means of them are told by.
std::vector<metrics::MetricColumn> metric_columns(std::span<const Column> columns);

}  // namespace snellen::tasks
