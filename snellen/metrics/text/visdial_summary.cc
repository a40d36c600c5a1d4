// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "snellen/base/error.h"
#include "snellen/metrics/text/visdial_metrics.h"

namespace snellen::metrics {
namespace {

// Two passes: the spread is taken around the mean, never from a difference of squares.
ColumnSummary summarize_column(std::string name,
                               size_t column,
                               std::span<const VisdialEntry> entries) {
  ColumnSummary summary{.name = std::move(name)};
  double sum = 0;
  for (const VisdialEntry& entry : entries) {
    if (std::isnan(entry.values[column])) continue;
    sum += entry.values[column];
    ++summary.n;
  }
  if (summary.n == 0) {
    summary.mean = summary.std = std::numeric_limits<double>::quiet_NaN();
    return summary;
  }
  summary.mean = sum / static_cast<double>(summary.n);
  double squares = 0;
  for (const VisdialEntry& entry : entries) {
    if (std::isnan(entry.values[column])) continue;
    double difference = entry.values[column] - summary.mean;
    squares += difference * difference;
  }
  summary.std = std::sqrt(squares / static_cast<double>(summary.n));
  return summary;
}

}  // namespace

VisdialSummary summarize(const std::vector<std::string>& columns,
                         std::span<const VisdialEntry> entries) {
  VisdialSummary summary;
  summary.num_pairs = entries.size();
  for (const VisdialEntry& entry : entries) {
    SNELLEN_CHECK(entry.values.size() == columns.size());
    summary.num_empty += entry.num_empty;
    summary.num_absent_words += entry.num_absent_words;
    summary.num_skipped += entry.is_skipped;
    summary.num_without_references += entry.lacks_references;
  }
  for (size_t i = 0; i < columns.size(); ++i)
    summary.columns.push_back(summarize_column(columns[i], i, entries));
  return summary;
}

std::vector<std::string> compat_lines(const VisdialSummary& summary) {
  const std::string rule(20, '-');
  std::string names;
  std::string values;
  for (const ColumnSummary& column : summary.columns) {
    names += column.name + "\t\t";
    values += fmt::format("{:.4f} ({:.4f})\t", column.mean, column.std);
  }
  names += "empty\t\t";
  values += fmt::format("{:.4f} ({:.4f})\t", static_cast<double>(summary.num_empty), 0.0);
  return {fmt::format("# question-answer pairs: {}", summary.num_pairs),
          rule,
          names,
          rule,
          values,
          rule};
}

}  // namespace snellen::metrics
