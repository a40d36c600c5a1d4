// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/judged.h"

#include "snellen/tasks/shared_settings.h"

namespace snellen::tasks {

std::optional<metrics::Ties> ties_flag(const config::Options& options) {
  // Tests open tasks with their own options alone.
  const auto* shared = options.get_if<SharedSettings>();
  return shared == nullptr ? std::nullopt : metrics::ties_of(shared->ties);
}

Outcome outcome_of(metrics::Judged judged) {
  return {.values = std::move(judged.values),
          .tied_columns = judged.tied_columns,
          .is_correct = judged.is_correct,
          .margin = judged.margin};
}

Column column_of(const metrics::MetricColumn& column, metrics::Ties ties, bool has_breakdown) {
  return {.name = column.name,
          .is_share = column.is_share && !(column.is_decision && ties == metrics::Ties::kHalf),
          .higher_is_better = column.higher_is_better,
          .chance = column.chance,
          .has_breakdown = has_breakdown};
}

std::vector<Column> columns_of(std::span<const metrics::MetricColumn> columns, metrics::Ties ties) {
  std::vector<Column> all;
  all.reserve(columns.size());
  for (const metrics::MetricColumn& column : columns)
    all.push_back(column_of(column, ties, /*has_breakdown=*/column.is_decision));
  return all;
}

std::vector<metrics::MetricColumn> metric_columns(std::span<const Column> columns) {
  std::vector<metrics::MetricColumn> facts;
  facts.reserve(columns.size());
  for (const Column& column : columns) {
    facts.push_back({.name = column.name,
                     .is_share = column.is_share,
                     .chance = column.chance,
                     .higher_is_better = column.higher_is_better});
  }
  return facts;
}

}  // namespace snellen::tasks
